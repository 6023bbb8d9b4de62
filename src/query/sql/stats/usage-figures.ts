import type { Relation } from '../../../kernel/relation.ts'
import type { Sql } from '../../../kernel/sql.ts'
import type { UsageMetric } from '../../../model/call-stats.ts'
import { Parameters } from '../parameters.ts'
import {
  type CallGroups,
  type CallStatsScope,
  groupColumns,
  groupPlaceSql,
  type MetricFigures,
  scopeRowsSql,
} from './call-figures.ts'
import { figuresSql } from './figures.ts'
import { type Buckets, bucketMicrosSql } from './time-buckets.ts'

/** Prices per token of a model whose input tokens per request are in (`above`, `through`]. */
export interface UsageRate {
  readonly model: string
  readonly above: number
  readonly through: number
  readonly prompt: number
  readonly completion: number
  readonly cacheRead: number
  readonly cacheCreation: number
  readonly cacheCreationLong: number
}

const tokenColumns = [
  'input_tokens',
  'output_tokens',
  'total_tokens',
  'cache_read_tokens',
  'cache_creation_tokens',
  'cache_creation_long_tokens',
  'uncached_tokens',
  'usage_requests',
  'stated_cost',
] as const
type TokenColumn = (typeof tokenColumns)[number]

const count = (column: TokenColumn): string => `coalesce(u.${column}, 0)`
const uncached = `coalesce(u.uncached_tokens, ${count('input_tokens')})`
const inputCost = `(${uncached} * coalesce(r.prompt, 0) + ${count('cache_read_tokens')} * coalesce(r.cacheRead, 0)
  + (${count('cache_creation_tokens')} - ${count('cache_creation_long_tokens')}) * coalesce(r.cacheCreation, 0)
  + ${count('cache_creation_long_tokens')} * coalesce(r.cacheCreationLong, 0))`
const outputCost = `(${count('output_tokens')} * coalesce(r.completion, 0))`

/** A stated cost is divided as the prices would divide it. */
const pricedCost = `(${inputCost} + ${outputCost})`
const statedShare = (part: string, otherwise: number): string =>
  `coalesce(u.stated_cost * CASE WHEN ${pricedCost} > 0 THEN ${part} / ${pricedCost} ELSE ${otherwise} END, ${part})`

/** An unreported value is null and does not count. */
const usageMetricSql: Readonly<Record<UsageMetric, string>> = {
  input_tokens: 'u.input_tokens',
  output_tokens: 'u.output_tokens',
  total_tokens: 'u.total_tokens',
  cache_read_input_tokens: 'u.cache_read_tokens',
  cache_creation_input_tokens: 'u.cache_creation_tokens',
  input_cost: statedShare(inputCost, 1),
  output_cost: statedShare(outputCost, 0),
  total_cost: `coalesce(u.stated_cost, ${pricedCost})`,
}

/**
 * A usage may sum several requests. Prices depend on the size of one, so the mean stands for each.
 */
const inputPerRequest = `((${uncached} + ${count('cache_read_tokens')} + ${count('cache_creation_tokens')})
  / greatest(1, ${count('usage_requests')}))`

/**
 * The distinct models of the usage in a scope; null if it has calls whose usage is only in the
 * summary.
 */
export function compileUsageModels(scope: CallStatsScope, relation: Relation): Sql {
  const parameters = new Parameters()
  return {
    text: `SELECT DISTINCT model FROM (${usageRowsSql(scope, relation, 'NULL', [], parameters)})`,
    values: parameters.values,
  }
}

/**
 * One row per bucket, group and model with usage: start of the bucket in microseconds, place of the
 * group, model, number of calls, then the figures in order.
 */
export function compileUsageFigures(
  scope: CallStatsScope,
  buckets: Buckets,
  relation: Relation,
  metrics: readonly MetricFigures<UsageMetric>[],
  rates: readonly UsageRate[],
  groups?: CallGroups,
): Sql {
  const parameters = new Parameters()
  const isPriced = metrics.some(({ metric }) => metric.endsWith('_cost'))
  const figures = metrics.flatMap(({ metric, figures }) => figuresSql(usageMetricSql[metric], figures, parameters))
  const bucket = bucketMicrosSql('started_at', buckets, parameters)
  const usage = usageRowsSql(scope, relation, bucket, tokenColumns, parameters, groups)
  const prices = isPriced
    ? ` LEFT JOIN (${ratesSql(rates, parameters)}) r
    ON r.model = u.model AND ${inputPerRequest} > r.above AND ${inputPerRequest} <= r.through`
    : ''
  return {
    text: `SELECT ${['u.bucket', 'u.place', 'u.model', 'count(*)', ...figures].join(', ')} 
      FROM (${usage}) u${prices} GROUP BY u.bucket, u.place, u.model`,
    values: parameters.values,
  }
}

/** One row per model in the usage of each call, with the bucket and the requested token columns. */
function usageRowsSql(
  scope: CallStatsScope,
  relation: Relation,
  bucket: string,
  tokens: readonly TokenColumn[],
  parameters: Parameters,
  groups?: CallGroups,
): string {
  const own = ['started_at', 'usage_model', 'usage_by_model', ...tokens]
  const columns = new Set([...own, ...(groups ? groupColumns(groups.field) : [])])
  const calls = scopeRowsSql(scope, relation, [...columns], parameters)
  const place = groupPlaceSql(groups, scope, parameters)
  const structure = ['"usage_model":"VARCHAR"', ...tokens.map((name) => `"${name}":"DOUBLE"`)].join(', ')
  const plain = ['usage_model AS model', ...tokens].join(', ')
  const nested = ['m.usage_model', ...tokens.map((name) => `m.${name}`)].join(', ')
  return `SELECT ${bucket} AS bucket, ${place} AS place, ${plain} FROM (${calls}) g
      WHERE usage_model IS NOT NULL OR usage_by_model IS NULL
    UNION ALL SELECT bucket, place, ${nested} FROM (
      SELECT ${bucket} AS bucket, ${place} AS place, unnest(from_json(usage_by_model, '[{${structure}}]')) AS m
        FROM (${calls}) g WHERE usage_by_model <> '[]')`
}

/** Rates are passed as one JSON text, because DuckDB has no parameter for a list of rows. */
function ratesSql(rates: readonly UsageRate[], parameters: Parameters): string {
  const text = parameters.bind(JSON.stringify(rates))
  return `SELECT unnest(from_json(${text},
    '[{"model":"VARCHAR", "above":"DOUBLE", "through":"DOUBLE", "prompt":"DOUBLE", "completion":"DOUBLE",
    "cacheRead":"DOUBLE", "cacheCreation":"DOUBLE", "cacheCreationLong":"DOUBLE"}]'), recursive := true)`
}
