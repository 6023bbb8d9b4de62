import { Type } from '@sinclair/typebox'
import type { ProjectReader } from '../../../domains/access/index.ts'
import { errorLine } from '../../../lib/error-line.ts'
import { DomainError, quoted } from '../../../lib/errors.ts'
import { isJsonObject } from '../../../lib/json-value.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { toolLimits } from '../../../lib/limits/tools.ts'
import { memberOf } from '../../../lib/present.ts'
import { AnswerText } from '../text/answer-text.ts'
import { callColumns, callName, callStatistics, type ReadCall, timeText } from '../text/call-text.ts'
import { oneLine } from '../text/number-text.ts'
import { defineTool, type ToolContext } from '../tool.ts'
import { Arguments, count, readerOf, text } from './arguments.ts'
import { readCalls } from './read-calls.ts'

const input = Arguments({
  call_id: Type.String({ description: 'Id of the call', maxLength: operationLimits.idCharsMax }),
  path: text('`inputs`, `output`, `attributes` or `summary`, then keys and positions: `inputs.messages.0.content`'),
  offset: Type.Optional(Type.Integer({ minimum: 0, description: 'Characters of the value to skip' })),
  length: count(
    `Characters of the value; ${toolLimits.agentValueCharsDefault} if omitted`,
    toolLimits.agentValueCharsMax,
  ),
})

/** A call, or one value of it. */
export const getCall = defineTool({
  name: 'get_call',
  title: 'Read a call',
  description:
    'Without `path`: the metadata of a call, its error, the beginnings and sizes of its payloads, and its ' +
    'feedback. With `path`: a range of the JSON text of one value.',
  input,
  answer: async (context, { project: named, call_id, path, offset, length }) => {
    const reader = readerOf(context, named)
    const answer = new AnswerText()
    if (path === undefined) await describeCall(context, reader, call_id, answer)
    else await addValue(context, reader, { call_id, path, offset, length }, answer)
    return answer.end()
  },
})

async function addValue(
  { services, signal }: ToolContext,
  reader: ProjectReader,
  wanted: { call_id: string; path: string; offset: number | undefined; length: number | undefined },
  answer: AnswerText,
): Promise<void> {
  const { call_id, path } = wanted
  const request = {
    ...{ project_id: reader.projectId, call_id, path },
    offset: wanted.offset ?? null,
    length: wanted.length ?? toolLimits.agentValueCharsDefault,
  }
  const { text, type, offset, characters } = await services.payloads.value(reader, request, signal)
  const room = toolLimits.agentAnswerTokensMax - toolLimits.agentNextTokensMax - toolLimits.agentCountTokensMax * 3
  const piece = new AnswerText(room + toolLimits.agentNextTokensMax)
  piece.add(text)
  const shown = piece.end().text.replace(/ … \(cut\)$/, '')
  const end = offset + Math.min(shown.length, text.length)
  answer.add(`${path} of call ${call_id}, ${type}, characters ${offset} to ${end} of ${characters}:`)
  answer.add(shown)
  if (end < characters) answer.next('get_call', { project: reader.projectId, ...wanted, offset: end }, 'the rest')
}

async function describeCall(
  context: ToolContext,
  reader: ProjectReader,
  callId: string,
  answer: AnswerText,
): Promise<void> {
  const { services, signal } = context
  const [call] = await readCalls(context, reader, {
    filter: { call_ids: [callId] },
    ...{ columns: [...callColumns], include_costs: true, include_feedback: true },
    preview_chars: 4 * toolLimits.agentPreviewChars,
  })
  if (call === undefined)
    throw new DomainError(
      'NotFound',
      `Cannot read call ${quoted(callId)}: the project ${quoted(reader.projectId)} has no such call`,
    )
  const { sizes } = await services.payloads.sizes(reader, callId, signal)
  const { trace_id, parent_id, thread_id, started_at, exception } = call
  answer.add(`${callName(call)}  ${callStatistics(call)}  ${timeText(started_at)}`)
  answer.add(
    [
      `trace ${trace_id}`,
      ...(parent_id ? [`parent ${parent_id}`] : []),
      ...(thread_id ? [`thread ${thread_id}`] : []),
    ].join(', '),
  )
  if (exception) {
    const error = errorLine(exception, 8 * toolLimits.agentPreviewChars)
    const whole = oneLine(exception, 8 * toolLimits.agentPreviewChars)
    answer.add(`Error: ${error}`)
    if (whole !== error) answer.add(`exception (beginning): ${whole}`)
  }
  const previews = { inputs: call.inputs_preview, output: call.output_preview }
  for (const [name, preview] of Object.entries(previews))
    if (preview) answer.add(`${name} (beginning): ${oneLine(preview, 4 * toolLimits.agentPreviewChars)}`)
  answer.add(
    `Characters: ${Object.entries(sizes)
      .map(([name, size]) => `${name} ${size}`)
      .join(', ')}`,
  )
  answer.addList(feedbackOf(call).map(feedbackText), 'feedback')
  const project = reader.projectId
  answer.next('get_call', { project, call_id: callId, path: 'inputs' }, 'its inputs')
  if (sizes.output > 0) answer.next('get_call', { project, call_id: callId, path: 'output' }, 'its output')
  answer.next('get_trace', { project, trace_id }, 'its trace')
}

interface FeedbackEntry {
  readonly feedback_type: string
  readonly payload: unknown
  readonly creator?: string | null
}

function feedbackOf({ summary }: ReadCall): FeedbackEntry[] {
  const entries = memberOf(summary?.['ext'], 'feedback')
  return Array.isArray(entries) ? entries.filter(isFeedback) : []
}

const isFeedback = (entry: unknown): entry is FeedbackEntry =>
  isJsonObject(entry) &&
  typeof entry['feedback_type'] === 'string' &&
  (entry['creator'] == null || typeof entry['creator'] === 'string')

function feedbackText({ feedback_type, payload, creator }: FeedbackEntry): string {
  const content = oneLine(JSON.stringify(payload), toolLimits.agentPreviewChars)
  return `feedback ${feedback_type}${creator ? ` by ${creator}` : ''}: ${content}`
}
