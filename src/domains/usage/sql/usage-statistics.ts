import type { Relation } from '../../../lib/relation.ts'
import type { Sql } from '../../../lib/sql.ts'
import { type RowOfShape, rowShape } from '../../../lib/typed-rows.ts'
import type { UsageRate } from '../../../query/calls-plan.ts'
import { Parameters } from '../../../query/sql/parameters.ts'
import { type Buckets, bucketMicrosSql } from '../../../query/sql/stats/time-buckets.ts'
import {
  countingColumns,
  countsUsageSql,
  inputCostSql,
  outputCostSql,
  pricedCostSql,
  pricesJoinSql,
  type TokenColumn,
  tokenColumns,
  totalTokensSql,
  usageByModelSql,
} from '../../../query/sql/usage-prices.ts'
import type { UsageMetric } from '../model/call-stats.ts'
import {
  type CallGroups,
  type CallStatsScope,
  groupPlaceSql,
  type MetricStatistics,
  scopeRowsSql,
  statisticsSql,
} from './call-statistics.ts'

/** A stated cost is divided as the prices would divide it. */
const statedShare = (part: string, otherwise: number): string =>
  `coalesce(u.stated_cost * CASE WHEN ${pricedCostSql} > 0 THEN ${part} / ${pricedCostSql} ELSE ${otherwise} END,
    ${part})`

/** An unreported value is null and does not count. */
export const usageMetricSql: Readonly<Record<UsageMetric, string>> = {
  input_tokens: 'u.input_tokens',
  output_tokens: 'u.output_tokens',
  total_tokens: totalTokensSql,
  cache_read_input_tokens: 'u.cache_read_tokens',
  cache_creation_input_tokens: 'u.cache_creation_tokens',
  input_cost: statedShare(inputCostSql, 1),
  output_cost: statedShare(outputCostSql, 0),
  total_cost: `coalesce(u.stated_cost, ${pricedCostSql})`,
}

const modelShape = rowShape({ model: 'text?' })

/**
 * The distinct models of the usage in a scope; null if it has calls whose usage is only in the
 * summary.
 */
export function compileUsageModels(scope: CallStatsScope, relation: Relation): Sql<RowOfShape<typeof modelShape>> {
  const parameters = new Parameters()
  return {
    text: `SELECT DISTINCT model FROM (${usageRowsSql(scope, relation, 'NULL', [], parameters)})`,
    values: parameters.values,
    shape: modelShape,
  }
}

/**
 * One row per bucket, group and model with usage: start of the bucket in microseconds, place of the
 * group, model, number of calls, then the statistics in order.
 */
export function compileUsageStatistics(
  scope: CallStatsScope,
  buckets: Buckets,
  relation: Relation,
  metrics: readonly MetricStatistics<UsageMetric>[],
  rates: readonly UsageRate[],
  groups?: CallGroups,
): Sql {
  const parameters = new Parameters()
  const isPriced = metrics.some(({ metric }) => metric.endsWith('_cost'))
  const statistics = metrics.flatMap(({ metric, statistics }) =>
    statisticsSql(usageMetricSql[metric], statistics, parameters),
  )
  const bucket = bucketMicrosSql('started_at', buckets, parameters)
  const usage = usageRowsSql(scope, relation, bucket, tokenColumns, parameters, groups)
  const prices = isPriced ? pricesJoinSql(rates, parameters) : ''
  return {
    text: `SELECT ${['u.bucket', 'u.place', 'u.model', 'count(*)', ...statistics].join(', ')} 
      FROM (${usage}) u${prices} GROUP BY u.bucket, u.place, u.model`,
    values: parameters.values,
  }
}

/** One row per model in each usage that counts, with the bucket and the requested token columns. */
function usageRowsSql(
  scope: CallStatsScope,
  relation: Relation,
  bucket: string,
  tokens: readonly TokenColumn[],
  parameters: Parameters,
  groups?: CallGroups,
): string {
  const own = ['started_at', 'usage_model', 'usage_by_model', ...countingColumns, ...tokens]
  const all = scopeRowsSql(scope, relation, own, parameters, groups?.field)
  const calls = `SELECT * FROM (${all}) WHERE ${countsUsageSql}`
  const place = groupPlaceSql(groups, parameters)
  return usageByModelSql(calls, { bucket, place }, tokens)
}
