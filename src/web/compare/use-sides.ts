import { post } from '../api/client.ts'
import { postRows } from '../api/lines.ts'
import { useQuery } from '../state/query-signal.ts'
import { list, text, type Values } from '../state/search-text.ts'
import { rowOf, type Skeleton, skeletonOf } from '../trace/skeleton.ts'
import type { TraceAnswer } from '../trace/trace-answer.ts'
import type { Side } from './align.ts'

/**
 * Ids of traces or calls in the address of a comparison: `?ids=1f2e,3d4c`, or one parameter each,
 * `?a=1f2e&b=3d4c`, as people write it by hand.
 */
export const sidesUrl = { ids: list(), a: text(), b: text(), c: text(), d: text() }

/** The ids that an address names, each once, in the order of their letters. */
export const idsOf = ({ ids, a, b, c, d }: Values<typeof sidesUrl>): string[] => [
  ...new Set([...ids, a, b, c, d].map((id) => id.trim()).filter((id) => id !== '')),
]

/** Changes to the address after which it names these and no others. */
export const onlyIds = (ids: readonly string[]): Values<typeof sidesUrl> => ({ ids, a: '', b: '', c: '', d: '' })

/** Traces or calls that are compared at a time. */
export const sidesMax = 4

/** The trees to compare, by ids of traces or of calls. */
export function useSides(projectId: string, ids: readonly string[]) {
  return useQuery<readonly Side[]>({
    queryKey: ['compare', projectId, ...ids],
    queryFn: ({ signal }) => Promise.all(ids.map((id) => readSide(projectId, id, signal))),
    enabled: ids.length > 0,
    gcTime: 30_000,
  })
}

async function readSide(projectId: string, id: string, signal: AbortSignal): Promise<Side> {
  const trace = await readTrace(projectId, id, signal)
  if (trace.size > 0) return { id, skeleton: trace, roots: rootsOf(trace) }
  const body = { project_id: projectId, filter: { call_ids: [id] }, columns: ['id', 'trace_id'] }
  const [call] = await postRows<{ trace_id: string }>('/calls/stream_query', body, { signal })
  if (!call) return { id, skeleton: trace, roots: [] }
  const whole = await readTrace(projectId, call.trace_id, signal)
  const row = rowOf(whole, id)
  return { id, skeleton: whole, roots: row < 0 ? [] : [row] }
}

const readTrace = async (projectId: string, traceId: string, signal: AbortSignal): Promise<Skeleton> =>
  skeletonOf(await post<TraceAnswer>('/trace/read', { project_id: projectId, trace_id: traceId }, { signal }))

function rootsOf({ size, end }: Skeleton): number[] {
  const roots: number[] = []
  for (let row = 0; row < size; row = end(row)) roots.push(row)
  return roots
}
