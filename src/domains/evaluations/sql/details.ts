import { refPrefixesOf } from '../../../formats/dialect/ref.ts'
import { ownNamespaces } from '../../../formats/dialect/spellings.ts'
import type { Sql } from '../../../lib/sql.ts'
import { type RowOfShape, rowShape } from '../../../lib/typed-rows.ts'
import { Parameters } from '../../../query/sql/parameters.ts'
import type { TrialScope } from '../plan/plan.ts'
import { totalTokensSql } from './token-sums.ts'
import { childColumns, childrenSql, datasetRowsSql, isPrediction, modelsSql, scoreKey, trialsSql } from './trials.ts'

export interface DetailsOptions {
  readonly children: boolean
  readonly models: ReadonlyMap<string, string>
  /** Whether to return the dataset row: as the trial holds it, or with its ref resolved. */
  readonly rawRows: 'none' | 'asGiven' | 'resolved'
}

/** Usage in the summary of a call, as JSON text. */
const usageOf = (alias: string): string => `json_extract(${alias}.summary, '/usage')::VARCHAR`

const detailsShape = rowShape({
  digest: 'text',
  /** The dataset row as JSON text. */
  example: 'json?',
  evaluation: 'text',
  // The trial as JSON text in pieces: up to the model's output, the output, the trial's own scores,
  // members for late scores, up to the cost, after the cost.
  head: 'text',
  output: 'json',
  ownScores: 'json',
  lateScores: 'text?',
  middle: 'text',
  tail: 'text',
  /** Usage and start in microseconds, from which the cost is computed. */
  usage: 'json?',
  startedAt: 'integer',
  /** 1 if the row is a ref that could not be resolved. */
  isUnresolved: 'integer',
  // The stored text, where DuckDB would print its numbers differently.
  storedOutput: 'json?',
  storedInputs: 'json?',
})

export type TrialDetails = RowOfShape<typeof detailsShape>

/** The trials of some rows, ordered by row, evaluation and time. */
export function detailsStatement(
  scope: TrialScope,
  rowDigests: readonly string[],
  { children, models, rawRows }: DetailsOptions,
): Sql<TrialDetails> {
  const parameters = new Parameters()
  const digests = `${parameters.bind({ texts: rowDigests })}::VARCHAR[]`
  const order = `list_position([${scope.evaluationIds.map((id) => parameters.bind(id)).join(', ')}], evaluation)`
  const items = [
    't."started_at"',
    't."ended_at"',
    't."output"',
    't."summary"',
    `coalesce(${spanRefs.join(', ')})::VARCHAR AS spans`,
    ...(rawRows !== 'none' ? ['t."inputs"', `json_extract(t."inputs", '/example')::VARCHAR AS example`] : []),
  ]
  const predictions = children ? predictionsSql(scope, models, parameters) : ''
  const prediction = children
    ? {
        id: `coalesce(to_json(p.id)::VARCHAR, 'null')`,
        usage: `CASE WHEN p.id IS NULL THEN ${usageOf('t')} ELSE ${usageOf('p')} END`,
        seconds: 'nullif((epoch_us(p.ended_at) - epoch_us(p.started_at)) / 1e6, 0)',
        output: 'p.output',
        late: 's.late',
        ids: `coalesce(s.ids, '')`,
        startedAt: 'coalesce(p.started_at, t.started_at)',
      }
    : {
        id: `'null'`,
        usage: usageOf('t'),
        seconds: 'NULL',
        output: 'NULL',
        late: 'NULL',
        ids: `''`,
        startedAt: 't.started_at',
      }
  const resolves = rawRows === 'resolved'
  const isOfProject = (resolves ? projectPrefixes(scope.projectId) : []).map(
    (prefix) => `starts_with(t.example, ${parameters.bind(prefix)})`,
  )
  const resolved = `CASE WHEN contains(t.example, '/attr/rows/id/') AND (${isOfProject.join(' OR ')}) THEN r.val END`
  const rawRow = rawRows === 'none' ? 'NULL' : resolves ? `coalesce(${resolved}, t.example)` : 't.example'
  // SDKs differ in whether a trial reports its latency as a number or as a mean.
  const ofTrial = ['/model_latency/mean', '/model_latency'].map(
    (pointer) => `TRY_CAST(json_extract(t.output, '${pointer}')::VARCHAR AS DOUBLE)`,
  )
  const seconds = `coalesce(${[prediction.seconds, ...ofTrial].join(', ')})`
  const output = `coalesce(json_extract(t.output, '/output')::VARCHAR, ${prediction.output}, 'null')`
  return {
    text: `WITH page AS (SELECT unnest(${digests}) AS row_digest, generate_subscripts(${digests}, 1) AS n),
      trial AS MATERIALIZED (SELECT *, CASE WHEN json_type(output, '/scores') = 'OBJECT' THEN
        json_extract(output, '/scores')::VARCHAR ELSE '{}' END AS own
        FROM (${trialsSql(scope, items, parameters)}) JOIN page USING (row_digest))${predictions}
      SELECT row_digest, ${rawRows === 'none' ? 'NULL' : 'raw_row'}, evaluation,
        concat('{"predict_and_score_call_id":', to_json(id)::VARCHAR, ',"predict_call_id":', prediction_id,
          ',"model_output":'), model_output, own, late,
        concat(',"model_latency_seconds":', coalesce(seconds::VARCHAR, 'null'),
          ',"total_tokens":', coalesce(${totalTokensSql('usage')}::VARCHAR, 'null'), ',"total_cost":'),
        concat(',"scorer_call_ids":{', scorer_ids, '},"genai_span_ref":', coalesce(spans, 'null'), '}'), usage,
          epoch_us(priced_at), ${resolves ? `(raw_row = example AND ${isRowRef})::INTEGER` : '0'},
        ${ifPrintedOtherwise('output')}, ${
          rawRows === 'none'
            ? 'NULL'
            : `CASE WHEN raw_row = example THEN
          ${ifPrintedOtherwise('inputs')} END`
        }
      FROM (SELECT t.*, ${rawRow} AS raw_row, ${prediction.id} AS prediction_id, ${output} AS model_output,
        ${prediction.late} AS late, ${seconds} AS seconds,
          ${prediction.usage} AS usage, ${prediction.ids} AS scorer_ids, ${prediction.startedAt} AS priced_at
        FROM trial t ${
          children ? 'LEFT JOIN prediction p ON p.trial_id = t.id LEFT JOIN score s ON s.trial_id = ' + 't.id' : ''
        }
          ${resolves ? `LEFT JOIN (${datasetRowsSql(scope, parameters)}) r ON r.digest = t.row_digest` : ''})
      ORDER BY n, ${order}, started_at, id`,
    values: parameters.values,
    shape: detailsShape,
  }
}

/** The spans of a trial. */
const spanRefs = ownNamespaces.map((namespace) => `json_extract(t."attributes", '/${namespace}/genai_span_ref')`)

/**
 * DuckDB reprints what it extracts from JSON: `1.10` as `1.1`, `1e3` as `1000.0`. Stored texts
 * differ from its format in nothing else.
 */
const ifPrintedOtherwise = (column: string): string =>
  `CASE WHEN json(${column})::VARCHAR <> ${column} THEN ${column} END`

const isRowRef = `contains(example, '/attr/rows/id/') AND starts_with(example, '"')`

/** Prefixes of the JSON text of a ref into the project, in all spellings. */
const projectPrefixes = (projectId: string): string[] => refPrefixesOf(projectId).map((prefix) => `"${prefix}`)

/**
 * CTEs `prediction`, one call for each trial that has one, and `score`: the ids of the score calls
 * of each trial, and its late scores, as JSON members. Outputs are read only for calls that their
 * trials do not repeat, which is most often none.
 */
function predictionsSql(scope: TrialScope, models: ReadonlyMap<string, string>, parameters: Parameters): string {
  return `, ${modelsSql(models, parameters)},
    child AS MATERIALIZED (SELECT c.*, trial.id AS trial_id, trial.own, ${scoreKey} AS key,
      coalesce(${isPrediction('model.model')}, false) AS is_prediction,
        c.ended_at IS NOT NULL AND (json_type(trial.output, '/scores') IS DISTINCT FROM 'OBJECT' OR c.started_at
          >= trial.ended_at) AS may_be_late,
        json_exists(trial.output, '/output') AS has_output
      FROM (${childrenSql(scope, [...childColumns, 'summary'], parameters)}) c
        JOIN trial ON c.parent_id = trial.id LEFT JOIN model ON model.evaluation = trial.evaluation),
    said AS MATERIALIZED (SELECT c.id, c.output FROM (${childrenSql(scope, ['id', 'output'], parameters)}) c
      SEMI JOIN (FROM child WHERE CASE WHEN is_prediction THEN NOT coalesce(has_output, false) ELSE may_be_late
        END) needed ON needed.id = c.id),
    prediction AS (SELECT found.*, said.output FROM (
        SELECT trial_id, unnest(arg_min({id: id, started_at: started_at, ended_at: ended_at, summary: summary},
          (started_at, id)))
        FROM child WHERE is_prediction GROUP BY trial_id) found LEFT JOIN said ON said.id = found.id),
    named AS (SELECT *, CASE WHEN list_contains(keys, key) THEN key
          ELSE coalesce(list_filter(keys, k -> contains(lower(k), lower(key)) OR contains(lower(key),
            lower(k)))[1], key) END AS name,
        may_be_late AND NOT list_contains(keys, key) AS is_late
      FROM (SELECT child.*, said.output, json_keys(own) AS keys FROM child LEFT JOIN said ON said.id = child.id
        WHERE NOT is_prediction)),
    score AS (SELECT trial_id, string_agg(to_json(name)::VARCHAR || ':' || to_json(id)::VARCHAR, ',' ORDER BY
      name) AS ids,
        string_agg(to_json(name)::VARCHAR || ':' || value, ',' ORDER BY name) FILTER (WHERE is_late) AS late
      FROM (SELECT trial_id, CASE WHEN is_late THEN key ELSE name END AS name, bool_or(is_late) AS is_late,
        arg_max(id, (started_at, id)) AS id,
          arg_max(coalesce(output, 'null'), (started_at, id)) AS value
        FROM named GROUP BY ALL) GROUP BY trial_id)`
}
