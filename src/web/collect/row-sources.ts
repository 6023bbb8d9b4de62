import { postRaw } from '../api/client.ts'
import { textLines } from '../api/lines.ts'
import { membersOf, objectOf } from '../dataset/cells.ts'
import { opName } from '../format/ids.ts'
import { chatOf } from '../playground/from-call.ts'
import { turnMessages } from '../thread/turn-messages.ts'
import { type ThreadCall, turnsOf } from '../thread/turns.ts'
import type { RowSource } from './call-rows.ts'

const columns = ['id', 'op_name', 'display_name', 'thread_id', 'inputs', 'output', 'attributes']
/** Threads that are read at a time, and calls and turns of one. */
const threadsMax = 50
const threadCallsMax = 2_000
const turnsMax = 200

interface CallLine {
  readonly id: string
  readonly op_name: string
  readonly display_name?: string | null
  readonly thread_id?: string | null
}

/** Calls with their payloads, in the order of the ids; those that are gone are left out. */
export const callsQuery = (projectId: string, ids: readonly string[]) => ({
  queryKey: ['calls as rows', projectId, ids],
  enabled: ids.length > 0,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<readonly RowSource[]> => {
    const lines = await linesOf(projectId, { filter: { call_ids: ids }, columns }, signal)
    const places = new Map(ids.map((id, at) => [id, at]))
    return lines
      .map(({ call, text }) => sourceOf(call, payloadOf(text, ['inputs', 'output', 'attributes'])))
      .sort((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0))
  },
})

/**
 * The threads of calls: the conversation, the inputs of the first call and the output of the last.
 */
export const threadsQuery = (projectId: string, threadIds: readonly string[]) => ({
  queryKey: ['threads as rows', projectId, threadIds],
  enabled: threadIds.length > 0,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<readonly RowSource[]> => {
    const sources: RowSource[] = []
    for (const threadId of threadIds.slice(0, threadsMax)) {
      const source = await threadOf(projectId, threadId, signal)
      if (source !== undefined) sources.push(source)
    }
    return sources
  },
})

async function threadOf(projectId: string, threadId: string, signal: AbortSignal): Promise<RowSource | undefined> {
  const request = {
    filter: { thread_ids: [threadId] },
    columns: [...columns, 'trace_id', 'parent_id', 'turn_id', 'started_at', 'ended_at', 'summary'],
    sort_by: [{ field: 'started_at', direction: 'asc' }],
    limit: threadCallsMax,
  }
  const lines = await linesOf<CallLine & ThreadCall>(projectId, request, signal)
  const turns = turnsOf(
    lines.map(({ call }) => call),
    Date.now(),
  ).slice(0, turnsMax)
  const textOf = (id: string | undefined) => lines.find(({ call }) => call.id === id)
  const [first, last] = [textOf(turns[0]?.callId), textOf(turns.at(-1)?.callId)]
  if (first === undefined || last === undefined) return undefined
  const messages: unknown[] = []
  for (const turn of turns) messages.push(...chatOf(await turnMessages(projectId, turn, signal)))
  const members = [
    ['thread_id', JSON.stringify(threadId)],
    ['turns', String(turns.length)],
    ['messages', JSON.stringify(messages)],
    ...membersIn(first.text, ['inputs']),
    ...membersIn(last.text, ['output']),
  ] as const
  const label = threadId.slice(0, 12)
  return { id: last.call.id, op: 'a thread', name: threadId, label, threadId, text: objectOf(members) }
}

const sourceOf = (call: CallLine, text: string): RowSource => ({
  id: call.id,
  op: call.op_name,
  name: call.display_name || opName(call.op_name),
  label: call.id.slice(0, 8),
  threadId: call.thread_id || undefined,
  text,
})

const membersIn = (line: string, names: readonly string[]): readonly (readonly [string, string])[] => {
  const members = membersOf(line)
  return names.flatMap((name) => {
    const text = members.get(name)
    return text === undefined || text === 'null' || text === '{}' ? [] : [[name, text] as const]
  })
}

const payloadOf = (line: string, names: readonly string[]): string => objectOf(membersIn(line, names))

async function linesOf<Call extends CallLine>(
  projectId: string,
  request: object,
  signal: AbortSignal,
): Promise<{ readonly call: Call; readonly text: string }[]> {
  const body = { project_id: projectId, ...request }
  const response = await postRaw('/calls/stream_query', body, { signal, headers: { accept: 'application/jsonl' } })
  const lines: { call: Call; text: string }[] = []
  if (response.body === null) return lines
  for await (const some of textLines(response.body))
    lines.push(...some.map((text) => ({ call: JSON.parse(text) as Call, text })))
  return lines
}
