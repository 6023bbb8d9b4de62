import type { Sql } from '../../../lib/sql.ts'
import { type RowOfShape, rowShape } from '../../../lib/typed-rows.ts'
import { Parameters } from '../../../query/sql/parameters.ts'
import type { TrialScope } from '../plan/plan.ts'
import { childColumns, childrenSql, isPrediction, mayBePredictionSql, modelsSql, trialsSql } from './trials.ts'

export interface UsageOptions {
  readonly children: boolean
  readonly models: ReadonlyMap<string, string>
  readonly requireIntersection: boolean
}

const usageShape = rowShape({ evaluation: 'text', usage: 'json', startedAt: 'integer' })

/**
 * Rows of an evaluation, usage as JSON text, and start in microseconds: of each trial's prediction,
 * or of the trial itself if it has none. Trials without usage are left out.
 */
export function usageStatement(scope: TrialScope, options: UsageOptions): Sql<RowOfShape<typeof usageShape>> {
  const parameters = new Parameters()
  return { text: usageSql(scope, options, parameters), values: parameters.values, shape: usageShape }
}

const tokensShape = rowShape({ evaluation: 'text', tokens: 'integer?' })

/** Rows of an evaluation and the tokens that its predictions report in total. */
export function tokensStatement(scope: TrialScope, options: UsageOptions): Sql<RowOfShape<typeof tokensShape>> {
  const parameters = new Parameters()
  const rows = usageSql(scope, options, parameters)
  return {
    text: `SELECT evaluation, sum(${totalTokensSql('usage')})::BIGINT FROM (${rows}) GROUP BY evaluation`,
    values: parameters.values,
    shape: tokensShape,
  }
}

/** The sum of the totals that the models of a usage (JSON text) report; null without any. */
export const totalTokensSql = (usage: string): string =>
  `list_sum(list_transform(json_extract(${usage}, '$.*.total_tokens'), x -> TRY_CAST(x::VARCHAR AS BIGINT)))::BIGINT`

function usageSql(
  scope: TrialScope,
  { children, models, requireIntersection }: UsageOptions,
  parameters: Parameters,
): string {
  const usage = `json_extract(t."summary", '/usage')::VARCHAR AS usage`
  const trials = trialsSql(scope, ['t."started_at"', usage], parameters)
  const shared = requireIntersection
    ? `WHERE row_digest IN (SELECT row_digest FROM every GROUP BY row_digest HAVING count(DISTINCT evaluation) =
      ${scope.evaluationIds.length})`
    : ''
  const own = `every AS MATERIALIZED (${trials}), trial AS (SELECT * FROM every ${shared})`
  const isUsage = (sql: string): string => `${sql} IS NOT NULL AND ${sql} NOT IN ('{}', 'null')`
  if (!children) {
    return `WITH ${own} SELECT evaluation, usage, epoch_us(started_at) AS priced_at FROM trial WHERE
      ${isUsage('usage')}`
  }
  const predictions = trialUsageSql(scope, models, parameters)
  return `WITH ${own}, ${modelsSql(models, parameters)}, ${predictions}
    SELECT evaluation, usage, epoch_us(priced_at) AS priced_at FROM (
      SELECT evaluation, CASE WHEN found IS NULL THEN trial.usage ELSE found.usage END AS usage,
        coalesce(found.started_at, started_at) AS priced_at
      FROM trial LEFT JOIN prediction ON trial_id = id) WHERE ${isUsage('usage')}`
}

/**
 * CTE `prediction`, over the CTEs `trial` and `model`: `found`, the usage and times of the first
 * prediction of each trial `trial_id` that has one, and its id as `failed_id` if it failed.
 */
export const trialUsageSql = (
  scope: TrialScope,
  models: ReadonlyMap<string, string>,
  parameters: Parameters,
): string => `prediction AS (
      SELECT c.parent_id AS trial_id, arg_min({usage: json_extract(c.summary, '/usage')::VARCHAR, started_at:
        c.started_at, ended_at: c.ended_at, failed_id: CASE WHEN c.exception IS NOT NULL THEN c.id END},
        (c.started_at, c.id)) AS found
      FROM (FROM (${childrenSql(scope, [...childColumns, 'summary', 'exception'], parameters)}) t WHERE
        ${mayBePredictionSql('t', models, parameters)}) c
        JOIN trial ON c.parent_id = trial.id LEFT JOIN model ON model.evaluation = trial.evaluation
      WHERE coalesce(${isPrediction('model.model')}, false) GROUP BY c.parent_id)`

const usageColumns = ['total_tokens', 'usage_model', 'usage_by_model']

/**
 * Select list over a call: `tokens`, the sum of the totals that its models report, null without
 * any; and `usage_known`: null if the summary has to be read, 0 without usage, otherwise 1.
 */
export const tokensSql = (alias: string): string[] => [
  `CASE WHEN ${alias}.usage_by_model IS NULL THEN ${alias}.total_tokens
    ELSE list_sum(list_transform(json_extract(${alias}.usage_by_model, '$[*].total_tokens'), x ->
      TRY_CAST(x::VARCHAR AS DOUBLE))) END AS tokens`,
  `CASE WHEN ${alias}.usage_model IS NULL AND ${alias}.usage_by_model IS NULL THEN NULL
    WHEN ${alias}.usage_by_model = '[]' THEN 0 ELSE 1 END AS usage_known`,
]

const typedTokensShape = rowShape({ evaluation: 'text', tokens: 'integer?', isUnsure: 'integer' })

/**
 * Rows of an evaluation, the tokens that its predictions report in total (its trials, for those
 * without a prediction), and 1 if the typed columns are missing. Files of earlier versions lack
 * them, and there 0 cannot be distinguished from a missing value.
 *
 * @param table the table of `trialsStatement`, with tokens
 */
export function typedTokensStatement(
  scope: TrialScope,
  table: string,
  { children, models }: { readonly children: boolean; readonly models: ReadonlyMap<string, string> },
): Sql<RowOfShape<typeof typedTokensShape>> {
  const parameters = new Parameters()
  const predictions = children ? predictionsSql(scope, table, models, parameters) : ''
  const ofTrial = children
    ? `SELECT evaluation, CASE WHEN found IS NULL THEN tokens ELSE found.tokens END AS tokens,
        CASE WHEN found IS NULL THEN usage_known ELSE found.usage_known END AS usage_known
      FROM "${table}" trial LEFT JOIN prediction ON trial_row = trial.rowid`
    : `FROM "${table}"`
  return {
    text: `${predictions} SELECT evaluation, sum(tokens)::BIGINT,
        (count(*) > count(usage_known) OR (sum(tokens) IS NULL AND max(usage_known) = 1))::INTEGER
      FROM (${ofTrial}) GROUP BY evaluation`,
    values: parameters.values,
    shape: typedTokensShape,
  }
}

/**
 * For each trial with a prediction, its row number in the table and the `tokensSql` of its first
 * prediction.
 */
function predictionsSql(
  scope: TrialScope,
  table: string,
  models: ReadonlyMap<string, string>,
  parameters: Parameters,
): string {
  return `WITH ${modelsSql(models, parameters)}, prediction AS (
    SELECT trial.rowid AS trial_row, arg_min({tokens: c.tokens, usage_known: c.usage_known}, (c.started_at,
      c.id)) AS found
    FROM (SELECT *, ${tokensSql('t').join(', ')} FROM
      (${childrenSql(scope, [...childColumns, ...usageColumns], parameters)}) t
        WHERE ${mayBePredictionSql('t', models, parameters)}) c
      JOIN "${table}" trial ON c.parent_id = trial.id LEFT JOIN model ON model.evaluation = trial.evaluation
    WHERE coalesce(${isPrediction('model.model')}, false) GROUP BY trial.rowid)`
}
