import type { TrialScope } from '../../eval-results/plan.ts'
import type { Parameters } from '../parameters.ts'
import { childColumns, childrenSql, isPrediction, modelsSql, scoreKey, trialsSql } from './trials.ts'

/** What a trial says of its scores itself, if it says anything. */
const ownScores = `CASE WHEN json_type(t."output", '/scores') = 'OBJECT' THEN json_extract(t."output", '/scores')::VARCHAR END AS own`

export interface ScoredTrialsOptions {
  /** Further SQL over the alias `t`, to select from each trial. */
  readonly items: readonly string[]
  /** Whether scores that came after a trial's end, or before it has one, are taken from its children. */
  readonly children: boolean
  readonly models: ReadonlyMap<string, string>
}

/**
 * CTEs that end with `scored`: a row a trial with `id`, `evaluation`, `row_digest`, `started_at`, `scores` (a JSON object as text) and
 * the items. What the trial says of its scores goes before what its children say.
 */
export function scoredTrialsSql(
  scope: TrialScope,
  { items, children, models }: ScoredTrialsOptions,
  parameters: Parameters,
): string {
  const trials = trialsSql(scope, ['t."started_at"', 't."ended_at"', ownScores, ...items], parameters)
  if (!children) return `scored AS MATERIALIZED (SELECT *, coalesce(own, '{}') AS scores FROM (${trials}))`
  return `trial AS MATERIALIZED (${trials}),
    ${modelsSql(models, parameters)},
    late AS (SELECT trial_id, string_agg(to_json(key)::VARCHAR || ':' || value, ',' ORDER BY key) AS members
      FROM (SELECT c.parent_id AS trial_id, ${scoreKey} AS key, arg_max(coalesce(c.output, 'null'), (c.started_at, c.id)) AS value
        FROM (${childrenSql(scope, [...childColumns, 'output'], parameters)}) c
          JOIN trial ON c.parent_id = trial.id JOIN model USING (evaluation)
        WHERE (trial.own IS NULL OR c.started_at >= trial.ended_at) AND c.ended_at IS NOT NULL
          AND NOT ${isPrediction('model.model')} AND NOT coalesce(list_contains(json_keys(trial.own), ${scoreKey}), false)
        GROUP BY ALL)
      GROUP BY trial_id),
    scored AS MATERIALIZED (SELECT trial.*, CASE WHEN late.members IS NULL THEN coalesce(own, '{}')
        WHEN coalesce(own, '{}') = '{}' THEN '{' || late.members || '}'
        ELSE left(own, -1) || ',' || late.members || '}' END AS scores
      FROM trial LEFT JOIN late ON late.trial_id = trial.id)`
}
