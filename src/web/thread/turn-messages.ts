import { post } from '../api/client.ts'
import type { CallMessages, Message } from '../call/messages/messages.ts'
import { skeletonOf } from '../trace/skeleton.ts'
import type { TraceAnswer } from '../trace/trace-answer.ts'
import type { Turn } from './turns.ts'

/** Calls of a trace that are looked through for the one with the messages. */
const traceCallsMax = 5_000

/** The messages of a turn, from the user's on. @throws {Problem} */
export async function turnMessages(projectId: string, turn: Turn, signal: AbortSignal): Promise<readonly Message[]> {
  const read = async (callId: string): Promise<readonly Message[]> => {
    const body = { project_id: projectId, call_id: callId }
    return (await post<CallMessages>('/call/messages', body, { signal })).messages
  }
  let messages: readonly Message[] = []
  const callId = turn.messagesId ?? (await lastModelCall(projectId, turn.traceId, signal))
  if (callId !== undefined) messages = await read(callId)
  if (messages.length === 0 && callId !== turn.callId) messages = await read(turn.callId)
  return lastExchange(messages)
}

/** From the last user message to the end: earlier messages belong to other turns. */
function lastExchange(messages: readonly Message[]): readonly Message[] {
  const at = messages.findLastIndex(
    ({ role, source, parts }) =>
      source === 'inputs' && (role === 'user' || role === 'human') && parts.some(({ type }) => type !== 'tool_result'),
  )
  return messages.slice(Math.max(0, at)).filter(({ role }) => role !== 'system' && role !== 'developer')
}

async function lastModelCall(projectId: string, traceId: string, signal: AbortSignal): Promise<string | undefined> {
  const body = { project_id: projectId, trace_id: traceId, limit: traceCallsMax }
  const { size, kind, kinds, ids } = skeletonOf(await post<TraceAnswer>('/trace/read', body, { signal }))
  for (let row = size - 1; row >= 0; row--) if (kinds[kind(row)] === 'llm') return ids[row]
  return undefined
}
