import { Type } from '@sinclair/typebox'
import type { ProjectReader } from '../../../domains/access/index.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { toolLimits } from '../../../lib/limits/tools.ts'
import { AnswerText } from '../text/answer-text.ts'
import { timeText } from '../text/call-text.ts'
import { percentText } from '../text/number-text.ts'
import { groupName, statisticsHeader, statisticsLine, sumOf } from '../text/statistics-table.ts'
import { defineTool, type ToolContext } from '../tool.ts'
import { Arguments, count, readerOf, text } from './arguments.ts'
import { conditionArguments } from './call-conditions.ts'
import { type Statistics, type StatisticsRequest, statisticsOfCalls } from './call-statistics.ts'
import { readCalls } from './read-calls.ts'

const bucketSeconds = { '5min': 300, hour: 3600, day: 86_400, week: 604_800 } as const

const input = Arguments({
  group_by: text(
    'Group by `op_name`, `model`, `thread_id`, `trace_id`, `ext_user_id`, or a path: `attributes.customer`',
  ),
  bucket: Type.Optional(
    Type.Union(
      (['5min', 'hour', 'day', 'week'] as const).map((name) => Type.Literal(name)),
      { description: 'Group by time; at most 31 days of buckets shorter than a day' },
    ),
  ),
  order: Type.Optional(
    Type.Union(
      (['cost', 'calls', 'errors', 'duration'] as const).map((name) => Type.Literal(name)),
      { description: 'Largest first; groups by cost and buckets by time if omitted' },
    ),
  ),
  ...conditionArguments,
  limit: count(`Number of lines; ${toolLimits.agentRowsDefault} if omitted`, toolLimits.agentRowsMax),
})

const orders: Readonly<Record<string, (statistics: Statistics) => number>> = {
  cost: ({ cost }) => cost ?? 0,
  calls: ({ calls }) => calls,
  errors: ({ errors }) => errors,
  duration: ({ averageMs }) => averageMs ?? 0,
}

/** Adds up calls by group and time. */
export const stats = defineTool({
  name: 'stats',
  title: 'Statistics of calls',
  description:
    'Counts calls, errors, durations, tokens and cost in US dollars, grouped by a field, by time, or both. Answers ' +
    '"where does the money go", "what got slower", "who has errors".',
  input,
  answer: async (context, args) => {
    const { project: named, group_by, bucket, order, limit = toolLimits.agentRowsDefault, ...conditions } = args
    const reader = readerOf(context, named)
    const found = await statisticsOfCalls(context, reader, {
      ...{ groupBy: group_by, groupLimit: operationLimits.statsGroupsMax },
      conditions: await inRange(context, reader, conditions, bucket),
      bucketSeconds: bucket && bucketSeconds[bucket],
    })
    const rows = found.filter(({ calls }) => calls > 0)
    const total = sumOf(rows)
    const answer = new AnswerText()
    answer.add(`${reader.projectId} in total: ${statisticsLine(total)}`)
    if (group_by === undefined && bucket === undefined) {
      const [all] = rows
      if (all) answer.add(`Durations: ${statisticsLine(all)}`)
      answer.next('stats', { ...args, group_by: 'op_name' }, 'the same by op')
      return answer.end()
    }
    const byValue = orders[order ?? (bucket === undefined ? 'cost' : '')]
    const sorted =
      byValue === undefined
        ? rows
        : rows.toSorted((a, b) => othersLast(a, b) || byValue(b) - byValue(a) || b.calls - a.calls)
    answer.add(`By ${[group_by, bucket].filter(Boolean).join(' and ')}: ${statisticsHeader}`)
    const lines = sorted.slice(0, limit).map((row) => {
      const share = total.cost && row.cost !== undefined ? `  ${percentText(row.cost / total.cost)} of cost` : ''
      const place = [...(bucket ? [timeText(row.bucket)] : []), ...(group_by ? [groupName(row)] : [])].join('  ')
      return `${place}: ${statisticsLine(row)}${share}`
    })
    const shown = answer.addList(lines, 'lines', sorted.length)
    if (rows.some(({ isOther }) => isOther))
      answer.add(
        `Only the ${operationLimits.statsGroupsMax} groups with the most calls are listed; \`run_sql\` counts all.`,
      )
    if (shown < sorted.length && limit < toolLimits.agentRowsMax)
      answer.next('stats', { ...args, limit: toolLimits.agentRowsMax }, 'more lines')
    const [top] = sorted
    if (top && group_by) addLookAt(answer, reader.projectId, group_by, top)
    return answer.end()
  },
})

const othersLast = (a: Statistics, b: Statistics): number => Number(a.isOther) - Number(b.isOther)

const dayMs = 86_400_000

/**
 * Short buckets need a short range: the day up to the last call, unless the conditions name one.
 */
async function inRange(
  context: ToolContext,
  reader: ProjectReader,
  conditions: StatisticsRequest['conditions'],
  bucket: keyof typeof bucketSeconds | undefined,
): Promise<StatisticsRequest['conditions']> {
  const isShort = bucket === 'hour' || bucket === '5min'
  if (!isShort || (conditions.since !== undefined && conditions.until !== undefined)) return conditions
  const sort_by = [{ field: 'started_at', direction: 'desc' as const }]
  const [newest] = await readCalls(context, reader, { columns: ['id', 'started_at'], sort_by, limit: 1 })
  const last = conditions.until ?? newest?.started_at ?? new Date().toISOString()
  const end = Date.parse(last)
  return {
    ...conditions,
    since: conditions.since ?? new Date(end - dayMs).toISOString(),
    until: conditions.until ?? new Date(end + 1000).toISOString(),
  }
}

/** Where to look at the calls of a group. */
function addLookAt(answer: AnswerText, project: string, groupBy: string, top: Statistics): void {
  const { group, isOther } = top
  if (isOther || group === undefined || group === '(none)') return
  if (groupBy === 'trace_id') answer.next('get_trace', { project, trace_id: group }, 'the first as a tree')
  else if (groupBy === 'model') answer.next('stats', { project, group_by: 'op_name' }, 'which ops use the models')
  else {
    const conditions =
      groupBy === 'op_name'
        ? { op: groupName(top) }
        : groupBy === 'thread_id'
          ? { thread_id: group }
          : { query: { $expr: { $eq: [{ $getField: groupBy }, { $literal: group }] } } }
    answer.next('search_calls', { project, ...conditions, sort: 'slowest' }, 'calls of the first line')
  }
}
