import type { Sql } from '../../../lib/sql.ts'
import { Parameters } from '../../../query/sql/parameters.ts'
import type { TrialScope } from '../plan/plan.ts'
import { childColumns, childrenSql, isPrediction, mayBePredictionSql, modelsSql, trialsSql } from './trials.ts'

export interface UsageOptions {
  readonly children: boolean
  readonly models: ReadonlyMap<string, string>
  readonly requireIntersection: boolean
}

/**
 * Rows of an evaluation, usage as JSON text, and start in microseconds: of each trial's prediction,
 * or of the trial itself if it has none. Trials without usage are left out.
 */
export function usageStatement(scope: TrialScope, options: UsageOptions): Sql {
  const parameters = new Parameters()
  return { text: usageSql(scope, options, parameters), values: parameters.values }
}

/** Rows of an evaluation and the tokens that its predictions report in total. */
export function tokensStatement(scope: TrialScope, options: UsageOptions): Sql {
  const parameters = new Parameters()
  const rows = usageSql(scope, options, parameters)
  return {
    text: `SELECT evaluation, sum(${totalTokensSql('usage')})::BIGINT FROM (${rows}) GROUP BY evaluation`,
    values: parameters.values,
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
  const predictions = `prediction AS (
      SELECT c.parent_id AS trial_id, arg_min({usage: json_extract(c.summary, '/usage')::VARCHAR, started_at:
        c.started_at}, (c.started_at, c.id)) AS found
      FROM (FROM (${childrenSql(scope, [...childColumns, 'summary'], parameters)}) t WHERE
        ${mayBePredictionSql('t', models, parameters)}) c
        JOIN trial ON c.parent_id = trial.id LEFT JOIN model ON model.evaluation = trial.evaluation
      WHERE coalesce(${isPrediction('model.model')}, false) GROUP BY c.parent_id)`
  return `WITH ${own}, ${modelsSql(models, parameters)}, ${predictions}
    SELECT evaluation, usage, epoch_us(priced_at) AS priced_at FROM (
      SELECT evaluation, CASE WHEN found IS NULL THEN trial.usage ELSE found.usage END AS usage,
        coalesce(found.started_at, started_at) AS priced_at
      FROM trial LEFT JOIN prediction ON trial_id = id) WHERE ${isUsage('usage')}`
}
