import { post } from '../api/client.ts'
import { postRows } from '../api/lines.ts'
import type { NamedObject, NamedThing } from './id-in-text.ts'

/** A call that was found by its id; for a trace its root, for a thread one of its calls. */
export interface FoundCall {
  readonly projectId: string
  readonly traceId: string
  /** Undefined if the id is that of the trace or the thread. */
  readonly callId: string | undefined
  /** Given if the id is that of a thread. */
  readonly threadId: string | undefined
  readonly opName: string
  readonly startedAt: string
}

/** What has an id. */
export interface FoundThings {
  readonly call: FoundCall | undefined
  readonly object: NamedObject | undefined
}

interface Row {
  readonly id: string
  readonly trace_id: string
  readonly op_name: string
  readonly started_at: string
}

const projectsMax = 50
const versionsMax = 1_000

/**
 * Looks for a call, trace, thread or version of an object with the id: in the project that the text
 * names, else in those given, in their order. A text that may be a word is looked for in the first
 * of them only.
 */
export async function findThings(
  { id, projectId, isCertain }: NamedThing,
  projectIds: readonly string[],
  signal: AbortSignal,
): Promise<FoundThings> {
  const places = projectId === undefined ? projectIds.slice(0, isCertain ? projectsMax : 1) : [projectId]
  const [calls, object] = await Promise.all([
    Promise.all(places.map((place) => findCall(place, id, signal))),
    isDigest(id) && places[0] !== undefined ? findVersion(places[0], id, signal) : undefined,
  ])
  return { call: calls.find(Boolean), object }
}

async function findCall(projectId: string, id: string, signal: AbortSignal): Promise<FoundCall | undefined> {
  const read = (filter: object) =>
    postRows<Row>(
      '/calls/stream_query',
      { project_id: projectId, filter, limit: 1, columns: ['id', 'trace_id', 'op_name', 'started_at'] },
      { signal },
    )
  const [[call], [root], [turn]] = await Promise.all([
    read({ call_ids: [id] }),
    read({ trace_ids: [id] }),
    read({ thread_ids: [id] }),
  ])
  const row = call ?? root ?? turn
  if (!row) return undefined
  return {
    projectId,
    traceId: row.trace_id,
    callId: call?.id,
    threadId: call || root ? undefined : id,
    opName: row.op_name,
    startedAt: row.started_at,
  }
}

/** Digests are 43 characters of base64url. */
const isDigest = (id: string): boolean => /^[\w-]{43}$/.test(id)

async function findVersion(projectId: string, digest: string, signal: AbortSignal): Promise<NamedObject | undefined> {
  const { objs } = await post<{ objs: { object_id: string; digest: string }[] }>(
    '/objs/query',
    { project_id: projectId, metadata_only: true, limit: versionsMax },
    { signal },
  )
  const found = objs.find((version) => version.digest === digest)
  return found && { projectId, name: found.object_id, digest }
}
