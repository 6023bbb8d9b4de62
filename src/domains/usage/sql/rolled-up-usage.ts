import type { Sql } from '../../../lib/sql.ts'
import { type RowOfShape, rowShape } from '../../../lib/typed-rows.ts'
import type { UsageRate } from '../../../query/calls-plan.ts'
import { Parameters } from '../../../query/sql/parameters.ts'
import {
  countingColumns,
  countsUsageSql,
  pricesJoinSql,
  type TokenColumn,
  tokenColumns,
  usageByModelSql,
} from '../../../query/sql/usage-prices.ts'
import type { UsageMetric } from '../model/call-stats.ts'
import type { MetricStatistics } from './call-statistics.ts'
import {
  placedRowsSql,
  placedSumsSql,
  plainRowsSql,
  type RolledUpRequest,
  summedRowsSql,
  withSumsSql,
} from './rolled-up-rows.ts'
import { ofValue, type Partials, partialsSql, statisticOfPartialsSql } from './rolled-up-statistics.ts'
import { usageMetricSql } from './usage-statistics.ts'

const usageColumns = ['usage_model', 'usage_by_model', ...countingColumns, ...tokenColumns]

const counting = (rows: string): string => `SELECT * FROM (${rows}) WHERE ${countsUsageSql}`
const summedColumns = ['usage_model', 'model', 'is_nested', 'counts_usage', 'calls', 'size'] as const

/** Sums of tokens and how many calls report them. */
const countedColumns = {
  input_tokens: 'input_tokens',
  output_tokens: 'output_tokens',
  total_tokens: 'total_tokens',
  cache_read_input_tokens: 'cache_read_tokens',
  cache_creation_input_tokens: 'cache_creation_tokens',
} as const satisfies Partial<Record<UsageMetric, TokenColumn>>

const isCounted = (metric: UsageMetric): metric is keyof typeof countedColumns => metric in countedColumns

/** Sizes by which rollups keep requests apart, above the first step: see the rollup of calls. */
const sizeStep = 8_000
const sizeMin = 12 * sizeStep

/** Whether rollups have what the statistics of these metrics need. */
export const haveUsageStatistics = (metrics: readonly MetricStatistics<UsageMetric>[]): boolean =>
  metrics.every(({ statistics }) => statistics.every(({ of }) => of === 'sum' || of === 'avg' || of === 'count'))

/** Whether rollups keep apart what these prices do. */
export const havePrices = (rates: readonly UsageRate[]): boolean =>
  rates.every(({ above }) => above < 0 || (above >= sizeMin && above % sizeStep === 0))

/** Whether a metric divides stated costs, of which rollups know only the sum. */
export const dividesStatedCost = (metrics: readonly MetricStatistics<UsageMetric>[]): boolean =>
  metrics.some(({ metric }) => metric === 'input_cost' || metric === 'output_cost')

const modelShape = rowShape({ model: 'text?', stated: 'integer' })

/**
 * Like `compileUsageModels`, followed by a number that is 0 unless costs of the model are stated.
 */
export function compileRolledUpModels(request: RolledUpRequest): Sql<RowOfShape<typeof modelShape>> {
  const parameters = new Parameters()
  const rows = plainRowsSql(request, usageColumns, parameters)
  const sums = summedRowsSql(request, 'sums', [...summedColumns, 'stated_cost'], parameters)
  const models = withSumsSql(
    rows,
    (rows) => `SELECT model, stated_cost FROM (${usageByModelSql(counting(rows), {}, ['stated_cost'])})`,
    `SELECT model, stated_cost FROM (${sums}) WHERE ${hasUsage}`,
  )
  return {
    text: `SELECT model, count(stated_cost) FROM (${models}) GROUP BY model`,
    values: parameters.values,
    shape: modelShape,
  }
}

/** Like `compileUsageStatistics`, from rollups. */
export function compileRolledUpUsage(
  request: RolledUpRequest,
  metrics: readonly MetricStatistics<UsageMetric>[],
  rates: readonly UsageRate[],
): Sql {
  const parameters = new Parameters()
  const rows = placedRowsSql(request, usageColumns, parameters)
  const byModel = (rows: string) => usageByModelSql(counting(rows), { bucket: 'bucket', place: 'place' }, tokenColumns)
  const counts = Object.values(countedColumns).map((name) => `${name}_n`)
  const columns = [...summedColumns, ...tokenColumns.filter((name) => name !== 'usage_requests'), ...counts]
  const sums = placedSumsSql(request, 'sums', columns, parameters)
  const isPriced = metrics.some(({ metric }) => metric.endsWith('_cost'))
  const pricesOfRows = () => (isPriced ? pricesJoinSql(rates, parameters) : '')
  const pricesOfSums = isPriced ? pricesJoinSql(rates, parameters, { columns: [], terms: [], size: 'u.size' }) : ''
  const ofRows = metrics.map(({ metric }, index) => partialsSql(ofValue(usageMetricSql[metric]), index))
  const ofSums = metrics.map(({ metric }, index) => partialsSql(summedPartials(metric), index))
  const statistics = metrics.flatMap(({ statistics }, index) =>
    statistics.map((statistic) => statisticOfPartialsSql(statistic, index)),
  )
  const key = ['u.bucket', 'u.place', 'u.model']
  const partials = withSumsSql(
    rows,
    (rows) => `SELECT ${[...key, '1 AS n', ...ofRows].join(', ')} FROM (${byModel(rows)}) u${pricesOfRows()}`,
    `SELECT ${[...key, 'u.calls AS n', ...ofSums].join(', ')} FROM (${sums}) u${pricesOfSums} WHERE ${hasUsage}`,
  )
  return {
    text: `SELECT ${['bucket', 'place', 'model', 'sum(n)::DOUBLE', ...statistics].join(', ')} FROM (${partials})
      GROUP BY bucket, place, model HAVING sum(n) > 0`,
    values: parameters.values,
  }
}

/** Rows of a rollup that add up usages that count. */
const hasUsage = '(counts_usage AND (is_nested OR usage_model IS NOT NULL))'

/** Other partials are never used. */
const summedPartials = (metric: UsageMetric): Partials => ({
  n: isCounted(metric) ? `u.${countedColumns[metric]}_n` : 'u.calls',
  // The total of a rollup is one already.
  sum: `(${metric === 'total_tokens' ? 'u.total_tokens' : usageMetricSql[metric]})::DOUBLE`,
  trues: 'NULL',
  min: 'NULL',
  max: 'NULL',
})
