import type { Static } from '@sinclair/typebox'
import { Type } from '@sinclair/typebox'
import type { ProjectReader } from '../../../domains/access/index.ts'
import type { TraceSkeleton } from '../../../formats/schemas/traces.ts'
import { errorLine } from '../../../lib/error-line.ts'
import { DomainError, quoted } from '../../../lib/errors.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { toolLimits } from '../../../lib/limits/tools.ts'
import { itemAt } from '../../../lib/present.ts'
import { AnswerText } from '../text/answer-text.ts'
import { timeText } from '../text/call-text.ts'
import { costText, countText, durationText, oneLine } from '../text/number-text.ts'
import { skeletonLines } from '../text/trace-lines.ts'
import { defineTool, type ToolContext } from '../tool.ts'
import { Arguments, count, readerOf } from './arguments.ts'
import { readCalls } from './read-calls.ts'

type Skeleton = Static<typeof TraceSkeleton>

const input = Arguments({
  trace_id: Type.String({ description: 'Id of the trace', maxLength: operationLimits.idCharsMax }),
  below: Type.Optional(
    Type.String({ description: 'Only the calls below this call id', maxLength: operationLimits.idCharsMax }),
  ),
  depth: count('Number of levels', 100),
  expand: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: 5,
      description: 'Values to show below the tree, as `call id,path`: `0198…,output.choices.0.message`',
    }),
  ),
  limit: count(`Number of lines; ${toolLimits.agentTraceLinesDefault} if omitted`, toolLimits.agentTraceLinesMax),
})

/** A trace as text. */
export const getTrace = defineTool({
  name: 'get_trace',
  title: 'Read a trace',
  description:
    'Shows a trace as a tree, a line a call: name, duration, tokens in+out, cost, error, id. Failed calls come first ' +
    'if not all fit. Below the tree: input and output of the root, and the errors.',
  input,
  answer: async (
    context,
    { project: named, trace_id, below, depth, expand, limit = toolLimits.agentTraceLinesDefault },
  ) => {
    const reader = readerOf(context, named)
    const { projectId } = reader
    const request = { project_id: projectId, trace_id, parent_id: below ?? null, depth: depth ?? null, limit }
    let text = ''
    for await (const pieces of context.services.traceTrees.texts(reader, request, context.signal))
      text += pieces.join('')
    const trace: Skeleton = JSON.parse(text)
    if (trace.call_count === 0)
      throw new DomainError(
        'NotFound',
        `Cannot read trace ${quoted(trace_id)}: the project ${quoted(projectId)} has no such trace`,
      )
    const answer = new AnswerText()
    answer.add(summaryOf(trace))
    const shown = answer.addList(skeletonLines(trace), 'calls', trace.call_count)
    await addRoot(context, reader, trace, answer)
    await addErrors(context, reader, trace, answer)
    for (const wanted of expand ?? []) await addValue(context, reader, wanted, answer)
    addNext(answer, projectId, trace, shown)
    return answer.end()
  },
})

function summaryOf({
  trace_id,
  call_count,
  started_at,
  ended_at,
  thread_id,
  total_cost,
  total_tokens,
  depth,
}: Skeleton): string {
  const roots = depth.flatMap((level, at) => (level === 0 ? [at] : []))
  const sum = (values: readonly (number | null)[]) => roots.reduce((total, at) => total + (values[at] ?? 0), 0)
  const lasted =
    started_at && ended_at ? `, ${durationText(Date.parse(ended_at) - Date.parse(started_at))}` : ', still running'
  return [
    `Trace ${trace_id}: ${call_count} calls from ${timeText(started_at ?? '')}${lasted}`,
    ...(sum(total_tokens) > 0 ? [`${countText(sum(total_tokens))} tokens`] : []),
    ...(roots.some((at) => total_cost[at] !== null) ? [costText(sum(total_cost))] : []),
    ...(thread_id === null ? [] : [`thread ${thread_id}`]),
  ].join(', ')
}

const failed = ({ status, statuses, call_ids }: Skeleton): string[] =>
  call_ids.filter((_, at) => statuses[itemAt(status, at)] === 'error')

/** Input and output of the trace: only they show whether a result is wrong. */
async function addRoot(
  context: ToolContext,
  reader: ProjectReader,
  trace: Skeleton,
  answer: AnswerText,
): Promise<void> {
  const root = trace.call_ids.find((_, at) => trace.depth[at] === 0)
  if (root === undefined) return
  const wanted = { columns: ['id', 'exception'], preview_chars: 4 * toolLimits.agentPreviewChars }
  const [call] = await readCalls(context, reader, { filter: { call_ids: [root] }, ...wanted })
  if (call?.inputs_preview) answer.add(`Root in: ${oneLine(call.inputs_preview, 2 * toolLimits.agentPreviewChars)}`)
  if (call?.output_preview) answer.add(`Root out: ${oneLine(call.output_preview, 2 * toolLimits.agentPreviewChars)}`)
}

async function addErrors(
  context: ToolContext,
  reader: ProjectReader,
  trace: Skeleton,
  answer: AnswerText,
): Promise<void> {
  const ids = failed(trace)
  if (ids.length === 0) {
    answer.add('No call reports an error. If the result is wrong nevertheless, compare input and output of the root.')
    return
  }
  const filter = { call_ids: ids.slice(0, toolLimits.agentErrorsShown) }
  const calls = await readCalls(context, reader, { filter, columns: ['id', 'op_name', 'exception'] })
  const texts = calls.map(
    ({ id, exception }) => `Error of ${id}: ${errorLine(exception ?? '', 2 * toolLimits.agentPreviewChars)}`,
  )
  answer.addList(texts, 'errors', ids.length)
}

async function addValue(
  context: ToolContext,
  reader: ProjectReader,
  wanted: string,
  answer: AnswerText,
): Promise<void> {
  const comma = wanted.indexOf(',')
  if (comma < 0) throw new DomainError('InvalidRequest', `\`expand\` must be "call id,path", not ${quoted(wanted)}`)
  const [call_id, path] = [wanted.slice(0, comma).trim(), wanted.slice(comma + 1).trim()]
  const request = { project_id: reader.projectId, call_id, path, length: toolLimits.agentValueCharsDefault }
  const { text, characters } = await context.services.payloads.value(reader, request, context.signal)
  answer.add(`${path} of ${call_id} (${text.length} of ${characters} characters): ${text}`)
}

function addNext(answer: AnswerText, project: string, trace: Skeleton, shown: number): void {
  const { call_ids, call_count, child_count, depth } = trace
  const [error] = failed(trace)
  const [root] = call_ids
  if (error !== undefined) answer.next('get_call', { project, call_id: error }, 'the first failed call')
  else if (root !== undefined) answer.next('get_call', { project, call_id: root, path: 'output' }, 'the whole result')
  if (root !== undefined && error !== undefined) answer.next('get_call', { project, call_id: root }, 'the root')
  if (shown === call_count) return
  // The calls below one whose children are not shown.
  const cut = call_ids.findIndex(
    (_, at) => at >= shown - 1 || (itemAt(child_count, at) > 0 && (depth[at + 1] ?? 0) <= itemAt(depth, at)),
  )
  const below = call_ids[Math.min(cut, call_ids.length - 1)]
  if (below !== undefined) answer.next('get_trace', { project, trace_id: trace.trace_id, below }, 'the calls below one')
}
