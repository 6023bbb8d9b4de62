import { Type } from '@sinclair/typebox'
import type { ProjectReader } from '../../../domains/access/index.ts'
import { errorLine } from '../../../lib/error-line.ts'
import { toolLimits } from '../../../lib/limits/tools.ts'
import { AnswerText } from '../text/answer-text.ts'
import { callColumns, callName, callStatistics, membersOf, type ReadCall, timeText } from '../text/call-text.ts'
import { oneLine } from '../text/number-text.ts'
import { defineTool, type ToolContext } from '../tool.ts'
import { Arguments, count, readerOf, text } from './arguments.ts'
import { conditionArguments, conditionsOf } from './call-conditions.ts'
import { readCalls } from './read-calls.ts'

const input = Arguments({
  text: text('Words to find anywhere in names, errors, inputs, output and attributes'),
  ...conditionArguments,
  sort: Type.Optional(
    Type.Union([Type.Literal('newest'), Type.Literal('oldest'), Type.Literal('slowest')], { default: 'newest' }),
  ),
  limit: count(`Number of calls; ${toolLimits.agentCallsDefault} if omitted`, toolLimits.agentCallsMax),
  after: Type.Optional(Type.Array(Type.Unknown(), { description: 'From the next step of an earlier answer' })),
})

/** Finds calls by a text or by conditions. */
export const searchCalls = defineTool({
  name: 'search_calls',
  title: 'Search calls',
  description:
    'Finds calls by words, conditions or both. A line a call: time, op, status, duration, tokens, cost, size, ids; ' +
    'below it the error and the beginning of input and output. `get_call` reads payloads as a whole.',
  input,
  answer: async (context, args) => {
    const reader = readerOf(context, args.project)
    const limit = args.limit ?? toolLimits.agentCallsDefault
    const answer = new AnswerText()
    const { calls, after } = args.text
      ? await byText(context, reader, { ...args, text: args.text, limit }, answer)
      : await byConditions(context, reader, { ...args, limit }, answer)
    const shown = calls.slice(0, answer.addList(calls.map(callText), 'calls on this page', calls.length))
    const last = shown.at(-1)
    const continued = shown.length < calls.length && last ? [sortValue(last, args.sort), last.id] : after
    if (continued !== undefined) answer.next('search_calls', { ...args, after: continued }, 'the next page')
    const [first] = shown
    if (first) answer.next('get_trace', { project: reader.projectId, trace_id: first.trace_id }, 'the first as a tree')
    return answer.end()
  },
})

type SearchArguments = Parameters<typeof conditionsOf>[0] & {
  readonly limit: number
  readonly sort?: 'newest' | 'oldest' | 'slowest' | undefined
  readonly after?: unknown[] | undefined
}
interface Page {
  readonly calls: readonly ReadCall[]
  /** Where the next page begins. */
  readonly after: unknown[] | undefined
}

const sorts = {
  newest: { field: 'started_at', direction: 'desc' },
  oldest: { field: 'started_at', direction: 'asc' },
  slowest: { field: 'summary.ext.latency_ms', direction: 'desc' },
} as const

const shownOfCalls = {
  columns: [...callColumns],
  include_costs: true,
  include_storage_size: true,
  preview_chars: toolLimits.agentPreviewChars,
}

async function byConditions(
  context: ToolContext,
  reader: ProjectReader,
  { limit, sort = 'newest', after, ...conditions }: SearchArguments,
  answer: AnswerText,
): Promise<Page> {
  const { filter, query } = conditionsOf(conditions)
  const [calls, { count: total }] = await Promise.all([
    readCalls(context, reader, { ...shownOfCalls, filter, query, limit: limit + 1, sort_by: [sorts[sort]], after }),
    context.services.calls.reader.stats(reader, { filter, query }, context.signal),
  ])
  const page = calls.slice(0, limit)
  answer.add(`${page.length} of ${total} matching calls of ${reader.projectId}, ${sort} first:`)
  const last = page.at(-1)
  return { calls: page, after: calls.length > limit && last ? [sortValue(last, sort), last.id] : undefined }
}

async function byText(
  context: ToolContext,
  reader: ProjectReader,
  { text, limit, after, ...conditions }: SearchArguments & { readonly text: string },
  answer: AnswerText,
): Promise<Page> {
  const { filter, query } = conditionsOf(conditions)
  const request = { project_id: reader.projectId, text, filter, query, limit, after: after as [string, string] }
  const found = await context.services.callSearch.search(reader, request, context.signal)
  const ids = found.matches.map(({ id }) => id)
  const calls = ids.length === 0 ? [] : await readCalls(context, reader, { ...shownOfCalls, filter: { call_ids: ids } })
  const more = found.after === null ? 'all calls searched' : 'older calls may match'
  answer.add(
    `${ids.length} calls of ${reader.projectId} contain ${JSON.stringify(text)}, newest first ` +
      `(${found.calls_read} searched, ${more}):`,
  )
  const byId = new Map(calls.map((call) => [call.id, call]))
  const matches = found.matches.flatMap(({ id, hits }) => {
    const call = byId.get(id)
    const [hit] = hits
    if (call === undefined) return []
    return [{ ...call, inputs_preview: hit ? `${hit.path}: ${hit.snippet}` : null, output_preview: null }]
  })
  return { calls: matches, after: found.after ?? undefined }
}

function sortValue(call: ReadCall, sort: keyof typeof sorts = 'newest'): unknown {
  if (sort !== 'slowest') return call.started_at
  return membersOf(call.summary?.['ext'])['latency_ms'] ?? null
}

/** The error of a call below, unless the call has failed itself. */
function insideLine({ exception, summary }: ReadCall): string[] {
  const { call_id, error } = membersOf(membersOf(summary?.['ext'])['error_inside'])
  return exception || call_id === undefined ? [] : [`  error inside, of call ${call_id}: ${error}`]
}

function callText(call: ReadCall): string {
  const { id, trace_id, started_at, exception, inputs_preview, output_preview, storage_size_bytes: bytes } = call
  const size = bytes == null ? '' : `  ${bytes} B`
  const preview = (text: string) => oneLine(text, toolLimits.agentPreviewChars)
  return [
    `${timeText(started_at)}  ${callName(call)}  ${callStatistics(call)}${size}  call ${id}  trace ${trace_id}`,
    ...(exception ? [`  error: ${errorLine(exception, toolLimits.agentPreviewChars)}`] : []),
    ...insideLine(call),
    ...(inputs_preview ? [`  in: ${preview(inputs_preview)}`] : []),
    ...(output_preview ? [`  out: ${preview(output_preview)}`] : []),
  ].join('\n')
}
