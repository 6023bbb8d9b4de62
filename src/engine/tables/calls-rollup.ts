import type { Rollup } from '../../lib/table.ts'
import {
  countsUsageSql,
  inputPerRequestSql,
  type TokenColumn,
  tokenColumns,
  totalTokensSql,
  uncachedSql,
  usageByModelSql,
} from '../../query/sql/usage-prices.ts'

/** Token counts of which the statistics know how many calls report them. */
const counted = [
  'input_tokens',
  'output_tokens',
  'total_tokens',
  'cache_read_tokens',
  'cache_creation_tokens',
] as const satisfies readonly TokenColumn[]

const countedSql = (name: (typeof counted)[number]): string => (name === 'total_tokens' ? totalTokensSql : name)

/** By what calls are added up, besides the time and the model of their usage. */
const groups = ['project_id', 'op_name', 'status', 'usage_model'] as const

const stepSql = (micros: number): string =>
  `(epoch_us(started_at) - ((epoch_us(started_at) % ${micros} + ${micros}) % ${micros}))`

/**
 * Prices depend on the input of a request from some size on. Requests above the first step are
 * kept apart by steps of which all known price boundaries are multiples.
 */
const sizeSql = `CASE WHEN u.model IS NULL OR ${inputPerRequestSql} <= ${12 * 8000} THEN 0
  ELSE ceil(${inputPerRequestSql} / 8000) * 8000 END`

/**
 * Calls of a data file by hour or minute. A row adds up calls (`is_nested` false), or usages of
 * calls that used several models or whose usage is only in the summary (`is_nested` true, `model`
 * null), apart for calls whose usage counts and others (`counts_usage`). `started_at` is the start
 * of the step, and `parent_id` is empty for calls with a parent. Token counts and `stated_cost` are
 * sums, and `…_n` is the number of calls that report them. `uncached_tokens` is never null.
 */
export const callsRollup: Rollup = {
  version: 2,
  lists: 'latencies',
  sums: [
    ...['calls', 'latency_n', 'latency_sum', 'latency_trues'],
    ...counted.flatMap((name) => [name, `${name}_n`]),
    ...['cache_creation_long_tokens', 'uncached_tokens', 'stated_cost'],
  ],
  fractions: 'stated_cost',
  time: 'started_at',
  statement: (source, stepMicros) => {
    const kept = {
      project_id: 'project_id',
      op_name: 'op_name',
      status: 'status',
      parent_id: `CASE WHEN parent_id IS NOT NULL THEN '' END`,
      step: stepSql(stepMicros),
      counts_usage: countsUsageSql,
    }
    const visible = `SELECT * FROM ${source} WHERE op_name IS NOT NULL`
    const tokens = tokenColumns.join(', ')
    const calls = `SELECT ${select(kept)}, usage_model, usage_model AS model, false AS is_nested, latency_ms, ${tokens}
      FROM (${visible}) c`
    const several = `${visible} AND usage_model IS NULL AND (usage_by_model IS NULL OR usage_by_model <> '[]')`
    const nested = `SELECT ${Object.keys(kept).join(', ')}, NULL AS usage_model, model, true AS is_nested,
      NULL AS latency_ms, ${tokens} FROM (${usageByModelSql(several, kept, tokenColumns)}) n`
    const sums = [
      'count(*) AS calls',
      'count(latency_ms) AS latency_n',
      'sum(latency_ms)::DOUBLE AS latency_sum',
      'min(latency_ms) AS latency_min',
      'max(latency_ms) AS latency_max',
      'count(*) FILTER (latency_ms <> 0) AS latency_trues',
      ...counted.flatMap((name) => [`sum(${countedSql(name)}) AS ${name}`, `count(${countedSql(name)}) AS ${name}_n`]),
      'sum(cache_creation_long_tokens) AS cache_creation_long_tokens',
      `coalesce(sum(${uncachedSql}), 0) AS uncached_tokens`,
      'sum(stated_cost) AS stated_cost',
      'list_sort(list(latency_ms) FILTER (latency_ms IS NOT NULL)) AS latencies',
    ]
    const keys = [...groups, 'parent_id', 'is_nested', 'counts_usage', 'model']
    return `SELECT ${keys.join(', ')}, make_timestamptz(step) AS started_at, size, ${sums.join(', ')}
      FROM (SELECT *, ${sizeSql} AS size FROM (${calls} UNION ALL BY NAME ${nested}) u) u
      GROUP BY ${keys.join(', ')}, step, size, stated_cost IS NULL
      ORDER BY ${keys.join(', ')}, step, size, stated_cost IS NULL`
  },
}

const select = (items: Readonly<Record<string, string>>): string =>
  Object.entries(items)
    .map(([name, sql]) => (name === sql ? name : `${sql} AS ${name}`))
    .join(', ')
