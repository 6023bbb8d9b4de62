import { postRows } from '../api/lines.ts'
import type { NamedThing } from './id-in-text.ts'

/** A call that was found by its id, or the root of a trace that was. */
export interface FoundCall {
  readonly projectId: string
  readonly traceId: string
  /** Undefined if the id is that of the trace. */
  readonly callId: string | undefined
  readonly opName: string
  readonly startedAt: string
}

interface Row {
  readonly id: string
  readonly trace_id: string
  readonly op_name: string
  readonly started_at: string
}

const projectsMax = 50

/** Looks for a call or a trace with the id, in one project or in those given, in their order. */
export async function findCall(
  { id, projectId }: NamedThing,
  projectIds: readonly string[],
  signal: AbortSignal,
): Promise<FoundCall | undefined> {
  const places = projectId === undefined ? projectIds.slice(0, projectsMax) : [projectId]
  const found = await Promise.all(places.map((place) => findIn(place, id, signal)))
  return found.find(Boolean)
}

async function findIn(projectId: string, id: string, signal: AbortSignal): Promise<FoundCall | undefined> {
  const read = (filter: object) =>
    postRows<Row>(
      '/calls/stream_query',
      { project_id: projectId, filter, limit: 1, columns: ['id', 'trace_id', 'op_name', 'started_at'] },
      { signal },
    )
  const [[call], [root]] = await Promise.all([read({ call_ids: [id] }), read({ trace_ids: [id] })])
  const row = call ?? root
  if (!row) return undefined
  return {
    projectId,
    traceId: row.trace_id,
    callId: call?.id,
    opName: row.op_name,
    startedAt: row.started_at,
  }
}
