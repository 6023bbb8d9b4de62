import type { Sql } from '../../../lib/sql.ts'
import { type RowOfShape, rowShape } from '../../../lib/typed-rows.ts'
import { Parameters } from '../../../query/sql/parameters.ts'
import type { KeptTrials, TrialScope, TrialValue } from '../plan/plan.ts'
import { tokensSql } from './token-sums.ts'
import { childColumns, childrenSql, isPrediction, modelsSql, scoreKey, trialsSql, trialValueSql } from './trials.ts'

/** Columns to read from each trial in addition to its scores. */
export interface TrialItems {
  /** Columns `x0`, `x1`, …: the trial's own values as JSON text; null if missing or JSON null. */
  readonly values?: readonly TrialValue[]
  /**
   * `scores`, all of the trial's own scores (an object as JSON text, `{}` if it has none), and
   * `has_own`, whether it has any.
   */
  readonly scores?: boolean
  /** `outcome`: `{"output": …}` as JSON text. */
  readonly outcome?: boolean
  /** `tokens` and `usage_known`; see `tokensSql`. */
  readonly tokens?: boolean
  /** `stated_seconds` of the model, `usage` (JSON text), and `has_failed`: with an exception. */
  readonly measures?: boolean
}

const statedSeconds = ['/model_latency/mean', '/model_latency'].map(
  (pointer) => `TRY_CAST(json_extract(t."output", '${pointer}')::VARCHAR AS DOUBLE)`,
)
const measureItems = [
  `coalesce(${statedSeconds.join(', ')}) AS stated_seconds`,
  `json_extract(t."summary", '/usage')::VARCHAR AS usage`,
  't."exception" IS NOT NULL AS has_failed',
]

/**
 * Every trial with `id`, `evaluation`, `row_digest`, `started_at`, `ended_at`, `status` and the
 * items. The result is kept in a temporary table, which the statements below read as `table`.
 */
export function trialsStatement(
  scope: TrialScope,
  { values = [], scores, outcome, tokens, measures }: TrialItems,
): Sql {
  const parameters = new Parameters()
  const own = `json_extract(t."output", '/scores')::VARCHAR`
  const items = [
    ...values.map((value, index) => `${trialValueSql(value, parameters)} AS x${index}`),
    ...(scores ? [`${own} AS own`] : []),
    ...(outcome
      ? [`'{"output":' || coalesce(json_extract(t."output", '/output')::VARCHAR, 'null') || '}' AS outcome`]
      : []),
    ...(tokens ? tokensSql('t') : []),
    ...(measures ? measureItems : []),
  ]
  const trials = trialsSql(scope, ['t."started_at"', 't."ended_at"', 't."status"', ...items], parameters)
  const isObject = `coalesce(starts_with(own, '{'), false)`
  const text = scores
    ? `SELECT * EXCLUDE own, ${isObject} AS has_own, CASE WHEN ${isObject} THEN own ELSE '{}' END AS scores FROM
      (${trials})`
    : trials
  return { text, values: parameters.values }
}

const lateShape = rowShape({ late: 'integer' })

/**
 * One row: whether any trial has children that came after its end, or has not ended well. For all
 * other trials, the trial itself holds every score. Reads narrow columns only.
 */
export function lateChildrenStatement(scope: TrialScope, table: string): Sql<RowOfShape<typeof lateShape>> {
  const parameters = new Parameters()
  const children = childrenSql(scope, ['parent_id', 'started_at'], parameters)
  return {
    text: `SELECT EXISTS (FROM (${children}) c JOIN "${table}" t ON c.parent_id = t.id
      WHERE t.ended_at IS NULL OR t.status <> 'success' OR c.started_at >= t.ended_at)::INTEGER`,
    values: parameters.values,
    shape: lateShape,
  }
}

/**
 * CTEs that end with `scored`: the columns of `trialsStatement`, with late scores merged in. A
 * trial's own scores take precedence.
 */
export function scoredTrialsSql(
  scope: TrialScope,
  { table, late }: KeptTrials,
  models: ReadonlyMap<string, string>,
  parameters: Parameters,
): string {
  if (!late) return `scored AS (FROM "${table}")`
  return `${modelsSql(models, parameters)},
    late AS (SELECT trial_id, string_agg(to_json(key)::VARCHAR || ':' || value, ',' ORDER BY key) AS members
      FROM (SELECT c.parent_id AS trial_id, ${scoreKey} AS key, arg_max(coalesce(c.output, 'null'),
        (c.started_at, c.id)) AS value
        FROM (${childrenSql(scope, [...childColumns, 'output'], parameters)}) c
          JOIN "${table}" trial ON c.parent_id = trial.id JOIN model USING (evaluation)
        WHERE (NOT trial.has_own OR c.started_at >= trial.ended_at) AND c.ended_at IS NOT NULL
          AND NOT ${isPrediction('model.model')} AND NOT list_contains(json_keys(trial.scores), ${scoreKey})
        GROUP BY ALL)
      GROUP BY trial_id),
    scored AS (SELECT trial.* REPLACE (CASE WHEN late.members IS NULL THEN scores
        WHEN scores = '{}' THEN '{' || late.members || '}'
        ELSE left(scores, -1) || ',' || late.members || '}' END AS scores)
      FROM "${table}" trial LEFT JOIN late ON late.trial_id = trial.id)`
}
