import type { Sql } from '../../../model/sql.ts'
import type { TrialScope } from '../../eval-results/plan.ts'
import { jsonPointer } from '../../field-path.ts'
import { Parameters } from '../parameters.ts'
import { childColumns, childrenSql, isPrediction, modelsSql, scoreKey, trialsSql } from './trials.ts'

export interface ScoredTrialsOptions {
  /** Further SQL over the alias `t`, to select from each trial. */
  readonly items: readonly string[]
  /** Whether scores that came after a trial's end, or before it has one, are taken from its children. */
  readonly children: boolean
  readonly models: ReadonlyMap<string, string>
}

/** Whether a trial `t` says of its scores itself. */
const hasOwn = `json_type(t."output", '/scores') = 'OBJECT'`

/**
 * One row: whether any trial has children that came after its end, or has not ended well. Of all others every score stands in the trial
 * itself. Looks at narrow columns only.
 */
export function lateChildrenStatement(scope: TrialScope): Sql {
  const parameters = new Parameters()
  const trials = trialsSql(scope, ['t."ended_at"', 't."status"'], parameters)
  const children = childrenSql(scope, ['parent_id', 'started_at'], parameters)
  return {
    text: `SELECT EXISTS (FROM (${children}) c JOIN (${trials}) t ON c.parent_id = t.id
      WHERE t.ended_at IS NULL OR t.status <> 'success' OR c.started_at >= t.ended_at)::INTEGER`,
    values: parameters.values,
  }
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
  const own = `CASE WHEN ${hasOwn} THEN json_extract(t."output", '/scores')::VARCHAR END AS own`
  const trials = trialsSql(scope, ['t."started_at"', 't."ended_at"', own, ...items], parameters)
  if (!children) return `scored AS (SELECT *, coalesce(own, '{}') AS scores FROM (${trials}))`
  return `trial AS MATERIALIZED (${trials}),
    ${lateSql(scope, { models, keys: 'json_keys(trial.own)', hasOwn: 'trial.own IS NOT NULL' }, parameters)},
    scored AS (SELECT trial.*, CASE WHEN late.members IS NULL THEN coalesce(own, '{}')
        WHEN coalesce(own, '{}') = '{}' THEN '{' || late.members || '}'
        ELSE left(own, -1) || ',' || late.members || '}' END AS scores
      FROM trial LEFT JOIN late ON late.trial_id = trial.id)`
}

/**
 * CTEs that end with `scored`: a row a trial with `id`, `evaluation`, `row_digest`, `started_at`, the items, and `y0`, `y1`, … for the
 * scores at the paths as JSON text.
 */
export function scoreValuesSql(
  scope: TrialScope,
  paths: readonly (readonly string[])[],
  { items, children, models }: ScoredTrialsOptions,
  parameters: Parameters,
): string {
  const values = paths.map((path) => parameters.bind(jsonPointer(['scores', ...path])))
  const extracted = values.map((pointer, index) => `json_extract(t."output", ${pointer})::VARCHAR AS y${index}`)
  const columns = ['t."started_at"', ...extracted, ...items]
  if (!children) return `scored AS (${trialsSql(scope, columns, parameters)})`
  const keys = `json_keys(t."output", '/scores') AS keys`
  const trials = trialsSql(scope, [...columns, 't."ended_at"', keys, `${hasOwn} AS has_own`], parameters)
  const replaced = paths.map((path, index) => {
    const member = `json_extract('{' || late.members || '}', ${parameters.bind(jsonPointer(path))})::VARCHAR`
    return `coalesce(y${index}, ${member}) AS y${index}`
  })
  return `trial AS MATERIALIZED (${trials}),
    ${lateSql(scope, { models, keys: 'trial.keys', hasOwn: 'coalesce(trial.has_own, false)' }, parameters)},
    scored AS (SELECT trial.* REPLACE (${replaced.join(', ')}) FROM trial LEFT JOIN late ON late.trial_id = trial.id)`
}

/** CTEs `model`, and `late` (`trial_id`, `members`): scores of children of `trial` that it does not have itself, as JSON members. */
function lateSql(
  scope: TrialScope,
  { models, keys, hasOwn: isOwn }: { models: ReadonlyMap<string, string>; keys: string; hasOwn: string },
  parameters: Parameters,
): string {
  return `${modelsSql(models, parameters)},
    late AS (SELECT trial_id, string_agg(to_json(key)::VARCHAR || ':' || value, ',' ORDER BY key) AS members
      FROM (SELECT c.parent_id AS trial_id, ${scoreKey} AS key, arg_max(coalesce(c.output, 'null'), (c.started_at, c.id)) AS value
        FROM (${childrenSql(scope, [...childColumns, 'output'], parameters)}) c
          JOIN trial ON c.parent_id = trial.id JOIN model USING (evaluation)
        WHERE (NOT ${isOwn} OR c.started_at >= trial.ended_at) AND c.ended_at IS NOT NULL
          AND NOT ${isPrediction('model.model')} AND NOT coalesce(list_contains(${keys}, ${scoreKey}), false)
        GROUP BY ALL)
      GROUP BY trial_id)`
}
