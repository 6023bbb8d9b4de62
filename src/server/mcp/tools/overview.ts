import type { ProjectReader } from '../../../domains/access/index.ts'
import type { ProjectSummary } from '../../../domains/projects/index.ts'
import { present } from '../../../lib/present.ts'
import { AnswerText } from '../text/answer-text.ts'
import { timeText } from '../text/call-text.ts'
import { costText, countText } from '../text/number-text.ts'
import { groupName, statisticsHeader, statisticsLine, sumOf } from '../text/statistics-table.ts'
import { defineTool, type ToolContext } from '../tool.ts'
import { Arguments, projectIdOf } from './arguments.ts'
import { statisticsOfCalls } from './call-statistics.ts'

const projectsMax = 20
const linesMax = 12

/** The data that can be explored. */
export const overview = defineTool({
  name: 'overview',
  title: 'Overview',
  description:
    'Begin here. Without `project`: the projects that the key may read, with calls, errors and cost of the last day. ' +
    'With `project`: its ops and models with calls, errors, durations, tokens and cost, of the last day with calls.',
  input: Arguments({}),
  answer: async (context, args) => {
    const { caller, services, signal } = context
    const named = args.project ?? soleProject(context)
    const answer = new AnswerText()
    if (named !== undefined) {
      await describeProject(context, caller.read(named), answer)
      return answer.end()
    }
    const { projects, has_more } = await services.projects.query(caller.readProjects(), { limit: projectsMax }, signal)
    answer.add(
      'Projects, the most recently active first: calls, last call; calls, errors and cost of the last 24 hours',
    )
    answer.addList(projects.map(projectLine), 'projects', has_more ? undefined : projects.length)
    for (const { project_id } of projects.slice(0, 2))
      answer.next('overview', { project: project_id }, 'its ops and models')
    return answer.end()
  },
})

/** The project of a caller that can only mean one. */
function soleProject(context: ToolContext): string | undefined {
  try {
    return projectIdOf(context, undefined)
  } catch {
    return undefined
  }
}

function projectLine({ project_id, calls, last_call_at, last_24h }: ProjectSummary): string {
  const day = last_24h.cost === null ? '' : `, ${costText(last_24h.cost)}`
  const last = last_call_at === null ? 'no calls' : `${countText(calls)} calls, last ${timeText(last_call_at)}`
  return `${project_id}: ${last}; 24 h: ${last_24h.calls} calls, ${last_24h.errors} errors${day}`
}

const dayMs = 86_400_000

async function describeProject(context: ToolContext, reader: ProjectReader, answer: AnswerText): Promise<void> {
  const { projectId } = reader
  const { projects } = await context.services.projects.query(
    context.caller.readProjects(),
    { prefix: projectId },
    context.signal,
  )
  const known = projects.find(({ project_id }) => project_id === projectId)
  if (known?.last_call_at == null) {
    answer.add(`${projectId} has no calls. Send some: search_docs "send traces" explains how.`)
    return
  }
  // The last day in which something happened: old recordings have no calls of the last 24 hours.
  const since = new Date(Date.parse(known.last_call_at) - dayMs).toISOString()
  const conditions = { since }
  const [ops, models] = await Promise.all([
    statisticsOfCalls(context, reader, { conditions, groupBy: 'op_name', groupLimit: linesMax }),
    statisticsOfCalls(context, reader, { conditions, groupBy: 'model', groupLimit: linesMax }),
  ])
  const first = present(known.first_call_at, 'The time of the first call')
  answer.add(`${projectId}: ${countText(known.calls)} calls from ${timeText(first)} to ${timeText(known.last_call_at)}`)
  answer.add(`Day up to the last call: ${statisticsLine(sumOf(ops))}`)
  answer.add(`Ops: ${statisticsHeader}`)
  answer.addList(
    ops.filter(({ calls }) => calls > 0).map((row) => `${groupName(row)}: ${statisticsLine(row)}`),
    'ops',
  )
  const used = models.filter(({ calls, group }) => calls > 0 && group !== '(none)')
  answer.add('Models:')
  answer.addList(
    used.map((row) => `${groupName(row)}: ${statisticsLine(row)}`),
    'models',
  )
  answer.next('search_calls', { project: projectId, status: 'error', limit: 5 }, 'failed calls')
  answer.next('stats', { project: projectId, group_by: 'model' }, 'where the money goes')
  answer.next('search_calls', { project: projectId, roots_only: true, limit: 5 }, 'the newest traces')
}
