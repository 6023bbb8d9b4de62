import { post } from '../api/client.ts'
import { postRows } from '../api/lines.ts'
import type { NamedObject, PastedId } from './id-in-text.ts'

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

/** Records found for an id. */
export interface FoundThings {
  readonly call: FoundCall | undefined
  readonly object: NamedObject | undefined
}

/** Projects in which an id is looked for, in this order. */
export const placesOf = ({ projectId, isDistinctive }: PastedId, projectIds: readonly string[]): readonly string[] =>
  projectId === undefined ? projectIds.slice(0, isDistinctive ? projectsMax : 1) : [projectId]

interface Row {
  readonly id: string
  readonly trace_id: string
  readonly op_name: string
  readonly started_at: string
}

/** Projects in which one id is looked for at most. */
const projectsMax = 100
/** Projects that are searched at a time. */
const atOnceMax = 8
const versionsMax = 1_000

/**
 * Looks for a call, trace, thread or version of an object with the id in these projects: in the
 * first, which is usually right, then in the others, until it is found.
 *
 * @throws {Problem}
 */
export async function findThings(id: string, places: readonly string[], signal: AbortSignal): Promise<FoundThings> {
  for (let at = 0; at < places.length; at += at === 0 ? 1 : atOnceMax) {
    const found = await Promise.all(
      places.slice(at, at === 0 ? 1 : at + atOnceMax).map((place) => findIn(place, id, signal)),
    )
    const first = found.find(({ call, object }) => call ?? object)
    if (first) return first
  }
  return { call: undefined, object: undefined }
}

async function findIn(projectId: string, id: string, signal: AbortSignal): Promise<FoundThings> {
  const [call, object] = await Promise.all([
    findCall(projectId, id, signal),
    isDigest(id) ? findVersion(projectId, id, signal) : undefined,
  ])
  return { call, object }
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
