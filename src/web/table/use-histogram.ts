import { post } from '../api/client.ts'
import { chartSpan, type Span } from '../chart/span.ts'
import type { StatusBucket } from '../chart/status-buckets.ts'
import type { FilterNode } from '../filter/expression.ts'
import { formatFilter } from '../filter/format-filter.ts'
import { queries, useQuery } from '../state/query-signal.ts'
import { readHistogram } from './read-histogram.ts'

/** Calls over time for the chart above a table, and the times that it spans. */
export interface Histogram {
  readonly span: Span
  readonly buckets: readonly StatusBucket[]
}

/**
 * Reads the chart above a table once rows are there. For all time it spans what the project holds.
 */
export function useHistogram(
  scope: { projectId: string; rootsOnly: boolean; filter: FilterNode | undefined },
  span: Span | undefined,
  enabled: boolean,
): { readonly histogram: Histogram | undefined; readonly isSettled: boolean } {
  const { data, isFetched } = useQuery({
    queryKey: ['histogram', scope.projectId, scope.rootsOnly, formatFilter(scope.filter), span?.from, span?.to],
    enabled,
    retry: false,
    placeholderData: (previous: Histogram | undefined) => previous,
    queryFn: async ({ signal }): Promise<Histogram> => {
      const whole =
        span ??
        (await queries.fetchQuery<Span>({
          queryKey: ['span', scope.projectId],
          staleTime: spanFreshMs,
          queryFn: (own) => wholeSpan(scope.projectId, own.signal),
        }))
      return { span: whole, buckets: await readHistogram(scope, whole, signal) }
    },
  })
  return { histogram: data, isSettled: isFetched }
}

const edgeMs = 1_000
const wholeSecond = (time: number): number => Math.ceil(time / edgeMs) * edgeMs
const spanFreshMs = 60_000

/** From the first call of a project to its last. */
async function wholeSpan(projectId: string, signal: AbortSignal): Promise<Span> {
  const { projects } = await post<{
    projects: { project_id: string; first_call_at: string | null; last_call_at: string | null }[]
  }>('/projects/query', { prefix: projectId }, { signal })
  const own = projects.find(({ project_id }) => project_id === projectId)
  const to = own?.last_call_at ? Date.parse(own.last_call_at) + edgeMs : Date.now()
  const from = own?.first_call_at ? Date.parse(own.first_call_at) : to - 3_600_000
  return chartSpan(
    { from: Math.floor(from / edgeMs) * edgeMs, to: Math.ceil(to / edgeMs) * edgeMs },
    wholeSecond(Date.now()),
  )
}
