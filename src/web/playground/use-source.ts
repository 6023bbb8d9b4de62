import { post } from '../api/client.ts'
import { dataUriOf } from '../api/data-uri.ts'
import { fileUrl } from '../api/file-url.ts'
import { postRows } from '../api/lines.ts'
import type { CallMessages } from '../call/messages/messages.ts'
import { opName } from '../format/ids.ts'
import type { ToolCall } from '../prompt/prompt.ts'
import { promptOf } from '../prompt/prompt.ts'
import type { ObjectVersion } from '../versions/objects.ts'
import { versionNamed } from '../versions/objects.ts'
import { carriedColumns, carriedFrom } from './from-call.ts'
import { columnOf, type PlayColumn } from './workspace.ts'

type Members = Readonly<Record<string, unknown>>

/** A call that the playground was opened with. */
export interface OpenedCall {
  readonly traceId: string
  readonly column: PlayColumn
}

interface StoredCall {
  readonly trace_id: string
  readonly inputs: Members
  readonly attributes?: Members
}

/** Reads a call as a column; null if there is no such call. */
export const openedCallQuery = (projectId: string, callId: string) => ({
  queryKey: ['playground call', projectId, callId],
  enabled: callId !== '',
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<OpenedCall | null> => {
    const columns = ['id', 'trace_id', ...carriedColumns]
    const filter = { call_ids: [callId] }
    const body = { project_id: projectId, filter, columns }
    const [call] = await postRows<StoredCall>('/calls/stream_query', body, { signal })
    if (call === undefined) return null
    const asked = { project_id: projectId, call_id: callId }
    const chat = await post<CallMessages>('/call/messages', asked, { signal })
    const digests = chat.messages.flatMap(({ source, parts }) =>
      parts.flatMap((part) =>
        source === 'inputs' && part.type === 'image' && part.digest !== null ? [part.digest] : [],
      ),
    )
    const images = new Map(
      await Promise.all(
        [...new Set(digests)].map(async (digest) => [digest, await dataUri(projectId, digest)] as const),
      ),
    )
    const { prompt, notCarried } = carriedFrom({
      inputs: call.inputs,
      attributes: call.attributes,
      messages: chat.messages,
      model: chat.model,
      images,
    })
    const cut = chat.is_truncated && !Array.isArray(call.inputs['messages']) ? ['messages'] : []
    return { traceId: call.trace_id, column: columnOf(prompt, { notCarried: [...notCarried, ...cut] }) }
  },
})

async function dataUri(projectId: string, digest: string): Promise<string> {
  const response = await fetch(fileUrl(projectId, digest), { credentials: 'same-origin' })
  if (!response.ok) throw new Error(`Cannot read the picture ${digest}: the server responded with ${response.status}`)
  return await dataUriOf(await response.blob())
}

/** Reads a version of a prompt as a column; null if there is no such version. */
export async function promptColumn(
  projectId: string,
  versions: readonly ObjectVersion[],
  wanted: string,
  signal?: AbortSignal,
): Promise<PlayColumn | null> {
  const version = versionNamed(versions, wanted)
  if (version === undefined) return null
  const { object_id: name, digest, version_index: index } = version
  const body = { project_id: projectId, object_id: name, digest }
  const { obj } = await post<{ obj: { val: unknown } }>('/obj/read', body, { signal })
  const latest = versions.find(({ is_latest: isLatest }) => isLatest === 1)?.digest
  return columnOf({ ...promptOf(obj.val), description: '' }, { origin: { name, digest, index, latest } })
}

/** A result of a tool that the trace holds. */
export interface ToolResult {
  readonly text: string
  /** Whether the tool was called with the same arguments. */
  readonly isSame: boolean
}

const toolCallsMax = 500

/** Reads the results of tools in the trace that the playground was opened with. */
export const toolResultsQuery = (projectId: string, traceId: string | undefined) => ({
  queryKey: ['playground tools', projectId, traceId],
  enabled: traceId !== undefined,
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    postRows<TracedTool>(
      '/calls/stream_query',
      {
        project_id: projectId,
        filter: { trace_ids: [traceId] },
        columns: ['op_name', 'display_name', 'inputs', 'output'],
        limit: toolCallsMax,
      },
      { signal },
    ),
})

/** A call of the trace that may be of a tool. */
export interface TracedTool {
  readonly op_name: string
  readonly display_name?: string | null
  readonly inputs: unknown
  readonly output: unknown
}

/** The result that the trace has for a tool call: that with the same arguments first. */
export function tracedResult(
  tools: readonly TracedTool[],
  { name, arguments: args }: ToolCall,
): ToolResult | undefined {
  const named = tools.filter(
    ({ op_name, display_name: shown, output }) =>
      output !== null &&
      output !== undefined &&
      (shown === name ||
        opName(op_name)
          .split(/[./\s]/)
          .includes(name)),
  )
  const same = named.find(({ inputs }) => isEqualJson(inputs, args))
  const found = same ?? named[0]
  if (found === undefined) return undefined
  const text = typeof found.output === 'string' ? found.output : JSON.stringify(found.output)
  return { text, isSame: same !== undefined }
}

function isEqualJson(inputs: unknown, args: string): boolean {
  try {
    return sortedJson(inputs) === sortedJson(JSON.parse(args))
  } catch {
    return false // A model may write arguments that are no JSON.
  }
}

const sortedJson = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )
