import { assertNever } from '../../../lib/errors.ts'
import type { Sql } from '../../../lib/sql.ts'
import type { CountableField } from '../../../query/catalog.ts'
import { Parameters } from '../../../query/sql/parameters.ts'
import type { CallMetric, Statistic } from '../model/call-stats.ts'
import {
  callMetricSql,
  type GroupValue,
  groupShape,
  groupTextSql,
  type LatencyBounds,
  type LatencyRange,
  latencyBoundsShape,
  latencyRangeShape,
  type MetricStatistics,
} from './call-statistics.ts'
import {
  placedRowsSql,
  placedSumsSql,
  plainRowsSql,
  type RolledUpRequest,
  summedRowsSql,
  withSumsSql,
} from './rolled-up-rows.ts'

/** Terms from which the statistics of a metric are computed, as SQL over a row. */
export interface Partials {
  /** The number of values that the row sums up, and of those that are not 0. */
  readonly n: string
  readonly trues: string
  readonly sum: string
  readonly min: string
  readonly max: string
}

/** The partials of a single value. */
export const ofValue = (value: string): Partials => ({
  n: `(${value} IS NOT NULL)::INTEGER`,
  trues: `coalesce(${value} <> 0, false)::INTEGER`,
  sum: `(${value})::DOUBLE`,
  min: value,
  max: value,
})

/** Select list of the partials of metric number `index`. */
export const partialsSql = (partials: Partials, index: number): string =>
  names.map((name) => `${partials[name]} AS m${index}_${name}`).join(', ')

const names = ['n', 'trues', 'sum', 'min', 'max'] as const

/**
 * SQL of an aggregate over the partials of metric number `index`, as DOUBLE; the same as
 * `statisticsSql` over the values. Percentiles are null.
 */
export function statisticOfPartialsSql({ of }: Statistic, index: number): string {
  const total = (name: 'n' | 'trues' | 'sum') => `coalesce(sum(m${index}_${name}), 0)::DOUBLE`
  if (typeof of === 'number') return 'NULL::DOUBLE'
  switch (of) {
    case 'sum':
      return total('sum')
    case 'avg':
      return `coalesce(${total('sum')} / nullif(${total('n')}, 0), 0)`
    case 'min':
      return `min(m${index}_min)::DOUBLE`
    case 'max':
      return `max(m${index}_max)::DOUBLE`
    case 'count':
      return total('n')
    case 'count_true':
      return total('trues')
    case 'count_false':
      return `(${total('n')} - ${total('trues')})`
    default:
      return assertNever(of)
  }
}

const isError = `(status = 'error')::INTEGER`

/** The partials of a metric of a row that adds up calls. */
const summed: Readonly<Record<CallMetric, Partials>> = {
  latency_ms: {
    n: 'latency_n',
    trues: 'latency_trues',
    sum: 'latency_sum',
    min: 'latency_min',
    max: 'latency_max',
  },
  call_count: { n: 'calls', trues: 'calls', sum: 'calls::DOUBLE', min: '1', max: '1' },
  error_count: {
    n: 'calls',
    trues: `calls * ${isError}`,
    sum: `(calls * ${isError})::DOUBLE`,
    min: isError,
    max: isError,
  },
}

/** Whether rollups have what the statistics of these metrics need: percentiles only of latency. */
export const haveCallStatistics = (metrics: readonly MetricStatistics<CallMetric>[]): boolean =>
  metrics.every(
    ({ metric, statistics }) => metric === 'latency_ms' || statistics.every(({ of }) => typeof of !== 'number'),
  )

/** Whether the statistics of these metrics are sums of numbers, or computed from such. */
export const areSums = (metrics: readonly MetricStatistics<CallMetric>[]): boolean =>
  metrics.every(({ statistics }) =>
    statistics.every(({ of }) => typeof of !== 'number' && of !== 'min' && of !== 'max'),
  )

/** Like `compileTopGroups`, from rollups. */
export function compileRolledUpGroups(
  request: Pick<RolledUpRequest, 'scope' | 'calls'>,
  field: CountableField,
  limit: number,
): Sql<GroupValue> {
  const parameters = new Parameters()
  const rows = plainRowsSql(request, [], parameters, field)
  const sums = summedRowsSql(request, 'sums', ['calls', 'is_nested'], parameters, field)
  const value = groupTextSql(field, parameters)
  const counts = withSumsSql(
    rows,
    (rows) => `SELECT group_value, 1 AS n FROM (${rows})`,
    `SELECT group_value, calls AS n FROM (${sums}) WHERE NOT is_nested`,
  )
  return {
    text: `SELECT value FROM (
        SELECT ${value} AS value, n FROM (
          SELECT group_value, sum(n) AS n FROM (${counts}) GROUP BY group_value HAVING sum(n) > 0) g)
      WHERE value IS NOT NULL
      GROUP BY value ORDER BY sum(n) DESC, value LIMIT ${parameters.bind(BigInt(limit))}::BIGINT`,
    values: parameters.values,
    shape: groupShape,
  }
}

/** Like `compileCallStatistics`, but percentiles are null. */
export function compileRolledUpStatistics(
  request: RolledUpRequest,
  metrics: readonly MetricStatistics<CallMetric>[],
): Sql {
  const parameters = new Parameters()
  const rows = placedRowsSql(request, ['latency_ms', 'status'], parameters)
  const columns = ['calls', 'is_nested', 'status', ...Object.values(summed.latency_ms)]
  const sums = placedSumsSql(request, 'sums', columns, parameters)
  const ofRows = metrics.map(({ metric }, index) => partialsSql(ofValue(callMetricSql[metric]), index))
  const ofSums = metrics.map(({ metric }, index) => partialsSql(summed[metric], index))
  const statistics = metrics.flatMap(({ statistics }, index) =>
    statistics.map((statistic) => statisticOfPartialsSql(statistic, index)),
  )
  const partials = withSumsSql(
    rows,
    (rows) => `SELECT ${['bucket', 'place', '1 AS n', ...ofRows].join(', ')} FROM (${rows})`,
    `SELECT ${['bucket', 'place', 'calls AS n', ...ofSums].join(', ')} FROM (${sums}) WHERE NOT is_nested`,
  )
  return {
    text: `SELECT ${['bucket', 'place', 'sum(n)::DOUBLE', ...statistics].join(', ')} FROM (${partials})
      GROUP BY bucket, place HAVING sum(n) > 0`,
    values: parameters.values,
  }
}

/**
 * One row per bucket and group with calls that have a latency: the start of the bucket in
 * microseconds, the place of the group, then these shares of the latencies as percentiles.
 */
export function compileRolledUpPercentiles(request: RolledUpRequest, shares: readonly number[]): Sql {
  const parameters = new Parameters()
  const latencies = latenciesSql(request, parameters)
  const bound = shares.map((share) => `${parameters.bind(share)}::DOUBLE`).join(', ')
  const items = shares.map((_, index) => `list[${index + 1}]::DOUBLE`)
  return {
    text: `SELECT bucket, place, ${items.join(', ')} FROM (
      SELECT bucket, place, quantile_cont(latency_ms, [${bound}]) AS list FROM (${latencies}) GROUP BY bucket, place)`,
    values: parameters.values,
  }
}

/** Like `compileLatencyBounds`, from rollups. */
export function compileRolledUpBounds(request: RolledUpRequest): Sql<LatencyBounds> {
  const parameters = new Parameters()
  const rows = plainRowsSql(request, ['latency_ms'], parameters)
  const sums = summedRowsSql(request, 'sums', ['latency_min', 'latency_max', 'latency_n'], parameters)
  const bounds = withSumsSql(
    rows,
    (rows) => `SELECT min(latency_ms) AS low, max(latency_ms) AS high, count(latency_ms) AS n FROM (${rows})`,
    `SELECT min(latency_min) AS low, max(latency_max) AS high, sum(latency_n) AS n FROM (${sums})`,
  )
  return {
    text: `SELECT min(low), max(high), coalesce(sum(n), 0)::DOUBLE FROM (${bounds})`,
    values: parameters.values,
    shape: latencyBoundsShape,
  }
}

/** Like `compileLatencyRanges`, from rollups. */
export function compileRolledUpRanges(request: RolledUpRequest, bounds: readonly number[]): Sql<LatencyRange> {
  const parameters = new Parameters()
  const latencies = latenciesSql(request, parameters)
  const inner = bounds.slice(1, -1).map((bound) => `(latency_ms >= ${parameters.bind(bound)})::INTEGER`)
  return {
    text: `SELECT bucket, ${['0', ...inner].join(' + ')} AS place, count(*) FROM (${latencies}) GROUP BY ALL`,
    values: parameters.values,
    shape: latencyRangeShape,
  }
}

/** SELECT of bucket, place and latency of each call that has one. */
function latenciesSql(request: RolledUpRequest, parameters: Parameters): string {
  const rows = placedRowsSql(request, ['latency_ms'], parameters)
  const lists = placedSumsSql(request, 'lists', ['latencies'], parameters)
  return withSumsSql(
    rows,
    (rows) => `SELECT bucket, place, latency_ms FROM (${rows}) WHERE latency_ms IS NOT NULL`,
    `SELECT bucket, place, unnest(latencies) AS latency_ms FROM (${lists})`,
  )
}
