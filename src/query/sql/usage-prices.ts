import type { UsageRate } from '../calls-plan.ts'
import type { Parameters } from './parameters.ts'

/*
 * The cost of usage, as SQL over `u`, the usage of one model in one call, and `r`, the prices of
 * that model.
 */

/** Columns of `u`. */
export const tokenColumns = [
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
export type TokenColumn = (typeof tokenColumns)[number]

/** Columns that decide whether the usage of a call counts. */
export const countingColumns = ['usage_below', 'usage_elsewhere'] as const

/**
 * Whether the usage of a call counts: no other call states it, neither one below nor one beside.
 * See docs/decisions/200-usage-counts-once.md.
 */
export const countsUsageSql = '(coalesce(usage_below, 0) = 0 AND usage_elsewhere IS NULL)'

const count = (column: TokenColumn): string => `coalesce(u.${column}, 0)`
/**
 * The total that a client states, or else the sum of input and output; null if it states none of
 * them.
 */
export const totalTokensSql = `coalesce(nullif(u.total_tokens, 0),
  CASE WHEN u.input_tokens IS NOT NULL OR u.output_tokens IS NOT NULL
    THEN ${count('input_tokens')} + ${count('output_tokens')} END, u.total_tokens)`
export const uncachedSql = `coalesce(u.uncached_tokens, ${count('input_tokens')})`

export const inputCostSql = `(${uncachedSql} * coalesce(r.prompt, 0)
  + ${count('cache_read_tokens')} * coalesce(r.cacheRead, 0)
  + (${count('cache_creation_tokens')} - ${count('cache_creation_long_tokens')}) * coalesce(r.cacheCreation, 0)
  + ${count('cache_creation_long_tokens')} * coalesce(r.cacheCreationLong, 0))`
export const outputCostSql = `(${count('output_tokens')} * coalesce(r.completion, 0))`

/** The cost computed from the prices; a stated cost takes precedence. */
export const pricedCostSql = `(${inputCostSql} + ${outputCostSql})`

/**
 * A usage may sum several requests. Prices depend on the size of one: each counts as the mean.
 */
export const inputPerRequestSql = `((${uncachedSql} + ${count('cache_read_tokens')} + ${count('cache_creation_tokens')})
  / greatest(1, ${count('usage_requests')}))`

/** LEFT JOIN of the prices `r` of the usage `u`; more terms restrict them. */
export function pricesJoinSql(
  rates: readonly UsageRate[],
  parameters: Parameters,
  more: {
    readonly columns: readonly string[]
    readonly terms: readonly string[]
    /** SQL of the size that selects between prices by size, unless it is the input of a request. */
    readonly size?: string
  } = { columns: [], terms: [] },
): string {
  const { size = inputPerRequestSql } = more
  // DuckDB has no parameter for a list of rows, so they are passed as one JSON text.
  const text = parameters.bind(JSON.stringify(rates))
  const numbers = ['above', 'through', 'prompt', 'completion', 'cacheRead', 'cacheCreation', 'cacheCreationLong']
  const structure = [...numbers, ...more.columns].map((name) => `"${name}":"DOUBLE"`).join(', ')
  const terms = ['r.model = u.model', `${size} > r.above`, `${size} <= r.through`, ...more.terms]
  return ` LEFT JOIN (SELECT unnest(from_json(${text}, '[{"model":"VARCHAR", ${structure}}]'), recursive := true)) r
    ON ${terms.join(' AND ')}`
}

/**
 * SELECT of one row per model in the usage of each call, with other columns (`kept`, SQL by name)
 * and the wanted token columns. Usage that is only in the summary yields a row without a model.
 *
 * @param calls SELECT of `usage_model`, `usage_by_model`, the token columns and what `kept` reads
 */
export function usageByModelSql(
  calls: string,
  kept: Readonly<Record<string, string>>,
  tokens: readonly TokenColumn[],
): string {
  const structure = ['"usage_model":"VARCHAR"', ...tokens.map((name) => `"${name}":"DOUBLE"`)].join(', ')
  const keptSql = Object.entries(kept).map(([name, sql]) => `${sql} AS ${name}`)
  const plain = [...keptSql, 'usage_model AS model', ...tokens].join(', ')
  const nested = [...Object.keys(kept), 'm.usage_model', ...tokens.map((name) => `m.${name}`)].join(', ')
  return `SELECT ${plain} FROM (${calls}) g WHERE usage_model IS NOT NULL OR usage_by_model IS NULL
    UNION ALL SELECT ${nested} FROM (
      SELECT ${[...keptSql, `unnest(from_json(usage_by_model, '[{${structure}}]')) AS m`].join(', ')}
        FROM (${calls}) g WHERE usage_by_model <> '[]')`
}
