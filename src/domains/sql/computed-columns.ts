import { unnamedModel } from '../../lib/count-tokens.ts'
import { countsUsageSql, totalTokensSql, usageByModelSql } from '../../query/sql/usage-prices.ts'

/** A column that statements of users can read, as `describe_schema` shows it. */
export interface ShownColumn {
  readonly name: string
  /** DuckDB's name of its type. */
  readonly type: string
  readonly description: string
}

/** The columns that statements of users find in `calls` besides those that are stored. */
export const computedCallColumns: readonly ShownColumn[] = [
  {
    name: 'cost',
    type: 'DOUBLE',
    description:
      "cost of the call's own usage in US dollars: what the client stated, else by the prices in force when the call " +
      'started, those of the project first, cached tokens at their own prices; null without usage or price. For sums ' +
      'read `usage`: a call may repeat the usage of the calls below it',
  },
  {
    name: 'tokens',
    type: 'BIGINT',
    description:
      "tokens of the call's own usage, of all its models: the totals as reported, else input and output; null " +
      'without usage. For sums read `usage`',
  },
  { name: 'models', type: 'VARCHAR[]', description: "models of the call's own usage; null if it names none" },
]

/** A view that is computed from calls. */
export const usageView = {
  name: 'usage',
  description:
    'Usage of calls: one row per call and model. Sum tokens and cost here: a call that has calls with usage ' +
    'below it is left out, because it repeats theirs.',
  columns: [
    { name: 'call_id', type: 'VARCHAR', description: 'id of the call' },
    { name: 'trace_id', type: 'VARCHAR', description: 'trace of the call' },
    { name: 'thread_id', type: 'VARCHAR', description: 'conversation of the call; null if none' },
    { name: 'op_name', type: 'VARCHAR', description: 'op of the call, as in `calls`' },
    { name: 'started_at', type: 'TIMESTAMP WITH TIME ZONE', description: 'start of the call' },
    { name: 'model', type: 'VARCHAR', description: 'model, as the usage names it' },
    { name: 'input_tokens', type: 'DOUBLE', description: 'input tokens as the provider counts them' },
    { name: 'output_tokens', type: 'DOUBLE', description: 'output tokens' },
    { name: 'total_tokens', type: 'DOUBLE', description: 'total as reported, else the sum of input and output' },
    { name: 'cache_read_tokens', type: 'DOUBLE', description: 'input tokens read from a cache' },
    { name: 'cache_creation_tokens', type: 'DOUBLE', description: 'input tokens written to a cache' },
    { name: 'requests', type: 'DOUBLE', description: 'requests that the usage adds up' },
    { name: 'cost', type: 'DOUBLE', description: 'cost in US dollars, as in `calls`; null without a price' },
  ] satisfies readonly ShownColumn[],
} as const

/**
 * The function that the views call: the cost of one model, or of all, in a usage (JSON text). See
 * docs/decisions/213-costs-in-sql.md.
 */
export const costFunction = 'tracelake_cost'

const startMicros = 'epoch_us(c.started_at)::DOUBLE'

/** SELECT of all calls with cost and usage. @param calls name of the view of stored calls */
export const pricedCallsSql = (calls: string): string =>
  `SELECT c.*, ${costFunction}(c.project_id, ${startMicros}, c.summary->'usage', NULL) AS cost,
    list_sum([coalesce(${totalTokensSql}, 0) FOR u IN ${usesSql}])::BIGINT AS tokens,
    list_sort(nullif(list_distinct([u.usage_model FOR u IN ${usesSql} IF u.usage_model <> '${unnamedModel}']),
      []::VARCHAR[])) AS models
    FROM "${calls}" c`

const useColumns = ['input_tokens', 'output_tokens', 'total_tokens'] as const

/** The usage of a call as a list, one for each model; null or empty without usage. */
const usesSql = `(CASE WHEN c.usage_model IS NOT NULL
  THEN [{usage_model: c.usage_model, ${useColumns.map((name) => `${name}: c.${name}`).join(', ')}}]
  ELSE from_json(c.usage_by_model,
    '[{"usage_model":"VARCHAR", ${useColumns.map((name) => `"${name}":"DOUBLE"`).join(', ')}}]')
END)`

/** SELECT of the usage view. @param calls name of the view of stored calls */
export function usageViewSql(calls: string): string {
  const kept = ['project_id', 'id', 'trace_id', 'thread_id', 'op_name', 'started_at', 'usage_json'] as const
  const tokens = [
    ...(['input_tokens', 'output_tokens', 'total_tokens', 'cache_read_tokens', 'cache_creation_tokens'] as const),
    'usage_requests',
  ] as const
  const stated = `SELECT *, summary->'usage' AS usage_json FROM "${calls}"
    WHERE (usage_model IS NOT NULL OR usage_by_model <> '[]') AND ${countsUsageSql}`
  const rows = usageByModelSql(stated, Object.fromEntries(kept.map((name) => [name, `g.${name}`])), tokens)
  return `SELECT c.project_id, c.id AS call_id, c.trace_id, c.thread_id, c.op_name, c.started_at, c.model,
    c.input_tokens, c.output_tokens,
    coalesce(nullif(c.total_tokens, 0), coalesce(c.input_tokens, 0) + coalesce(c.output_tokens, 0)) AS total_tokens,
    c.cache_read_tokens, c.cache_creation_tokens, coalesce(c.usage_requests, 1) AS requests,
    ${costFunction}(c.project_id, ${startMicros}, c.usage_json, c.model) AS cost
    FROM (${rows}) c`
}
