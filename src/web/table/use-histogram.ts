import { post } from '../api/client.ts'
import { bucketLength } from '../chart/bucket-length.ts'
import { chartSpan, type Span } from '../chart/span.ts'
import type { StatusBucket } from '../chart/status-buckets.ts'
import type { FilterNode } from '../filter/expression.ts'
import { formatFilter } from '../filter/format-filter.ts'
import { timeZone } from '../format/time.ts'
import { queries, useQuery } from '../state/query-signal.ts'
import { scopeOf } from './calls-request.ts'

const bucketsMax = 72
const dayMs = 86_400_000
const finestMs = 31 * dayMs

interface StatsRow {
  readonly timestamp: string
  readonly group?: string | null
  readonly [member: string]: unknown
}

/** Calls over a span by status, in buckets of a round length. */
async function readHistogram(
  scope: { projectId: string; rootsOnly: boolean; filter: FilterNode | undefined },
  span: Span,
  signal: AbortSignal,
): Promise<readonly StatusBucket[]> {
  const length = span.to - span.from
  // Beyond a month the server counts in days.
  const step = Math.max(bucketLength(length, bucketsMax), length > finestMs ? dayMs : 0)
  const body = {
    ...scopeOf(scope),
    start: new Date(span.from).toISOString(),
    end: new Date(span.to).toISOString(),
    granularity: Math.max(1, step / 1_000),
    timezone: timeZone.peek(),
    call_metrics: [{ metric: 'call_count', aggregations: ['sum'] }],
    group_by: 'summary.ext.status',
  }
  const { call_buckets, granularity } = await post<{ call_buckets: StatsRow[]; granularity: number }>(
    '/calls/stats',
    body,
    { signal },
  )
  return bucketsOf(call_buckets, granularity * 1_000, span)
}

type Counts = { -readonly [Name in Exclude<keyof StatusBucket, 'from' | 'to'>]: number }

function bucketsOf(rows: readonly StatsRow[], step: number, span: Span): StatusBucket[] {
  const byTime = new Map<number, Counts>()
  for (const row of rows) {
    const from = Date.parse(row.timestamp)
    const bucket = byTime.get(from) ?? { ok: 0, inside: 0, running: 0, error: 0 }
    const count = Number(row['sum_call_count'] ?? row['count'] ?? 0)
    if (row.group === 'error') bucket.error += count
    else if (row.group === 'descendant_error') bucket.inside += count
    else if (row.group === 'running') bucket.running += count
    else bucket.ok += count
    byTime.set(from, bucket)
  }
  return [...byTime]
    .map(([from, counts]) => ({ from: Math.max(from, span.from), to: Math.min(from + step, span.to), ...counts }))
    .filter(({ from, to }) => from < to)
    .sort((a, b) => a.from - b.from)
}

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
      const whole = span ?? (await queries.fetchQuery<Span>(wholeSpanQuery(scope.projectId)))
      return { span: whole, buckets: await readHistogram(scope, whole, signal) }
    },
  })
  return { histogram: data, isSettled: isFetched }
}

const edgeMs = 1_000
const wholeSecond = (time: number): number => Math.ceil(time / edgeMs) * edgeMs
const spanFreshMs = 60_000

/** Reads from when to when a project has calls. */
export const wholeSpanQuery = (projectId: string) => ({
  queryKey: ['span', projectId],
  staleTime: spanFreshMs,
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<Span> => wholeSpan(projectId, signal),
})

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
