import { unnamedModel } from '../../../../lib/count-tokens.ts'
import {
  inputPerRequestSql,
  pricedCostSql,
  type TokenColumn,
  tokenColumns,
  totalTokensSql,
} from '../../../../query/sql/usage-prices.ts'
import type { SqlEngine } from '../sql-engine.ts'
import { defineView, type Sources } from '../view.ts'

const kept = [
  'project_id',
  'call_id',
  'trace_id',
  'parent_id',
  'thread_id',
  'name',
  'kind',
  'provider',
  'model',
  'status',
  'error',
  'started_at',
  'ended_at',
  'latency_ms',
  'first_token_ms',
  'user_id',
] as const

/** A row for each call and model, with the columns of `usage_model` and the tokens. */
function usedSql(engine: SqlEngine, { view }: Sources): string {
  const spans = view('spans')
  const list = (alias: string, columns: readonly string[]) => columns.map((name) => `${alias}.${name}`).join(', ')
  const inItem = (name: TokenColumn) => `${engine.number(engine.textAt('m.item', name))} AS ${name}`
  const noTokens = tokenColumns.map((name) => `${engine.number("''")} AS ${name}`).join(', ')
  const several = `SELECT ${list('s', kept)}, ${engine.items('s.usage_by_model')} AS items
      FROM ${spans} s WHERE s.usage_counts AND s.usage_model IS NULL`
  return `(SELECT ${list('s', kept)}, s.usage_model, ${list('s', tokenColumns)}, 1 AS states_usage
    FROM ${spans} s WHERE s.usage_counts AND s.usage_model IS NOT NULL
    UNION ALL SELECT ${list('m', kept)}, ${engine.textAt('m.item', 'usage_model')} AS usage_model,
      ${tokenColumns.map(inItem).join(',\n      ')}, 1 AS states_usage
    FROM ${engine.unnestItems(several)} m
    UNION ALL SELECT ${list('s', kept)}, s.model AS usage_model, ${noTokens}, 0 AS states_usage
    FROM ${spans} s WHERE s.kind IN ('llm', 'embedding') AND s.usage_model IS NULL
      AND coalesce(s.usage_by_model, '[]') = '[]')`
}

const count = (column: TokenColumn) => `coalesce(u.${column}, 0)`

export const generations = defineView({
  name: 'generations',
  description:
    'Calls of models: one row per call and model of its usage, and calls of the kinds llm and embedding that state ' +
    'no usage (most of them failed). Usage that a call below or beside states as well is left out, so that sums ' +
    'count it once.',
  columns: {
    project_id: 'entity/project',
    call_id: 'id of the call',
    trace_id: 'trace of the call',
    parent_id: 'call above',
    thread_id: 'conversation; null if none',
    name: 'name of the call',
    kind: 'kind of the call',
    provider: 'provider, if stated',
    model: 'model of the usage, else of the attributes; null if unnamed',
    status: 'success, error, descendant_error or running',
    error: 'message of the error; null if it did not fail',
    started_at: 'start',
    ended_at: 'end; null while it runs',
    latency_ms: 'whole milliseconds; null while it runs',
    first_token_ms: 'milliseconds until the first token or chunk, if stated',
    input_tokens: 'input tokens as the provider counts them; null if not stated',
    output_tokens: 'output tokens; null if not stated',
    total_tokens: 'total as stated, else the sum of input and output',
    cache_read_tokens: 'input tokens read from a cache; null if not stated',
    cache_creation_tokens: 'input tokens written to a cache; null if not stated',
    requests: 'requests that the usage adds up; null without usage',
    cost: 'cost in US dollars: as stated, else by the view prices; null without usage or price',
    user_id: 'user of the application, if stated',
  },
  rows: (engine, from) => {
    return [
      {
        values: {
          project_id: 'u.project_id',
          call_id: 'u.call_id',
          trace_id: 'u.trace_id',
          parent_id: 'u.parent_id',
          thread_id: 'u.thread_id',
          name: 'u.name',
          kind: 'u.kind',
          provider: 'u.provider',
          model: `nullif(u.usage_model, ${engine.literal(unnamedModel)})`,
          status: 'u.status',
          error: 'u.error',
          started_at: 'u.started_at',
          ended_at: 'u.ended_at',
          latency_ms: 'u.latency_ms',
          first_token_ms: 'u.first_token_ms',
          input_tokens: 'u.input_tokens',
          output_tokens: 'u.output_tokens',
          total_tokens: totalTokensSql,
          cache_read_tokens: 'u.cache_read_tokens',
          cache_creation_tokens: 'u.cache_creation_tokens',
          requests: `CASE WHEN u.states_usage = 1 THEN greatest(1E0, ${count('usage_requests')}) END`,
          cost: `coalesce(u.stated_cost, CASE WHEN r.has_price = 1 AND u.states_usage = 1 THEN ${pricedCostSql} END)`,
          user_id: 'u.user_id',
        },
        from: `${usedSql(engine, from)} u
LEFT JOIN ${from.view('prices')} r ON r.project_id = u.project_id AND r.model = u.usage_model
  AND ${engine.micros('u.started_at')} >= r.from_micros AND ${engine.micros('u.started_at')} < r.until_micros
  AND ${inputPerRequestSql} > r.above AND ${inputPerRequestSql} <= r.through`,
      },
    ]
  },
})
