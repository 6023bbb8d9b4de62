import type { ProjectReader } from '../../../domains/access/index.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import type { ToolContext } from '../tool.ts'
import { conditionsOf } from './call-conditions.ts'

/** Calls to add up, and how to divide them. */
export interface StatisticsRequest {
  /** Seconds; without it everything is in one bucket. */
  readonly bucketSeconds?: number | undefined
  readonly groupBy?: string | undefined
  readonly groupLimit?: number | undefined
  readonly conditions: Parameters<typeof conditionsOf>[0]
}

/** Statistics of the calls of one group in one bucket of time. */
export interface Statistics {
  readonly bucket: string
  /** Undefined without groups and for the calls of all other groups together. */
  readonly group: string | undefined
  readonly isOther: boolean
  calls: number
  errors: number
  averageMs: number | undefined
  p95Ms: number | undefined
  inputTokens: number
  outputTokens: number
  cachedTokens: number
  /** Undefined if no model of the calls has a price. */
  cost: number | undefined
}

/**
 * Adds up calls.
 *
 * @throws DomainError InvalidRequest, InvalidField for a field that cannot divide calls
 */
export async function statisticsOfCalls(
  { services, signal }: ToolContext,
  reader: ProjectReader,
  { bucketSeconds = operationLimits.statsBucketSecondsMax, groupBy, groupLimit, conditions }: StatisticsRequest,
): Promise<Statistics[]> {
  const { since, until, ...others } = conditions
  const { filter, query } = conditionsOf(others)
  const stats = await services.callStatistics.stats(
    reader,
    {
      project_id: reader.projectId,
      start: since ?? '1970-01-01T00:00:00Z',
      end: until ?? farFuture,
      granularity: bucketSeconds,
      group_by: groupBy ?? null,
      group_limit: groupLimit ?? null,
      filter,
      query,
      call_metrics: [
        { metric: 'call_count' },
        { metric: 'error_count' },
        { metric: 'latency_ms', aggregations: ['avg'], percentiles: [95] },
      ],
      usage_metrics: [{ metric: 'total_cost' }, { metric: 'cache_read_input_tokens' }],
    },
    signal,
  )
  const found = new Map<string, Statistics>()
  for (const bucket of stats.call_buckets) {
    const statistics = statisticsIn(found, bucket)
    statistics.calls += numberIn(bucket, 'count')
    statistics.errors += numberIn(bucket, 'sum_error_count')
    statistics.averageMs = numberOrNone(bucket['avg_latency_ms'])
    statistics.p95Ms = numberOrNone(bucket['p95_latency_ms'])
  }
  for (const bucket of stats.usage_buckets) {
    const statistics = statisticsIn(found, bucket)
    statistics.inputTokens += numberIn(bucket, 'sum_input_tokens')
    statistics.outputTokens += numberIn(bucket, 'sum_output_tokens')
    statistics.cachedTokens += numberIn(bucket, 'sum_cache_read_input_tokens')
    const cost = bucket['sum_total_cost']
    if (typeof cost === 'number' && numberIn(bucket, 'count') > 0) statistics.cost = (statistics.cost ?? 0) + cost
  }
  return [...found.values()]
}

/** Calls of clients whose clocks are fast count too. */
const farFuture = '2069-12-31T00:00:00Z'

type Bucket = Readonly<Record<string, unknown>>

const numberOrNone = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

const numberIn = (bucket: Bucket, member: string): number => Number(bucket[member] ?? 0)

function statisticsIn(found: Map<string, Statistics>, bucket: Bucket): Statistics {
  const at = String(bucket['timestamp'])
  const isOther = bucket['is_other'] === true
  const group = 'group' in bucket ? groupText(bucket['group']) : undefined
  const key = JSON.stringify([at, isOther, group ?? null])
  const known = found.get(key)
  if (known !== undefined) return known
  const statistics: Statistics = {
    ...{ bucket: at, group, isOther, calls: 0, errors: 0, averageMs: undefined, p95Ms: undefined },
    ...{ inputTokens: 0, outputTokens: 0, cachedTokens: 0, cost: undefined },
  }
  found.set(key, statistics)
  return statistics
}

const groupText = (group: unknown): string =>
  group === null ? '(none)' : typeof group === 'string' ? group : JSON.stringify(group)
