import { jsonPointer } from '../../../lib/json-pointer.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import type { Relation } from '../../../lib/relation.ts'
import type { Sql } from '../../../lib/sql.ts'
import { type RowOfShape, rowShape } from '../../../lib/typed-rows.ts'
import { Parameters } from '../../../query/sql/parameters.ts'
import { tableRowsSql } from '../../../query/sql/table-rows.ts'
import type { TrialScope } from '../plan/plan.ts'
import { childColumns, childrenSql, isPrediction, modelsSql, scoreKey } from './trials.ts'

const trialShape = rowShape({ id: 'text', evaluation: 'text', digest: 'text', startedAt: 'integer', score: 'json?' })

/** The trials of a table, oldest first, with one of their scores as JSON text. */
export function judgedTrialsStatement(
  table: string,
  path: readonly string[] | undefined,
): Sql<RowOfShape<typeof trialShape>> {
  const parameters = new Parameters()
  const score = path === undefined ? 'NULL' : `json_extract(scores, ${parameters.bind(jsonPointer(path))})::VARCHAR`
  return {
    text: `SELECT id, evaluation, row_digest, epoch_us(started_at), nullif(${score}, 'null') FROM "${table}"
      ORDER BY evaluation, started_at, id`,
    values: parameters.values,
    shape: trialShape,
  }
}

/** What labels are read from. */
interface Judged {
  readonly scope: TrialScope
  readonly models: ReadonlyMap<string, string>
  /** Name of a table of trials. */
  readonly table: string
  readonly feedback: Relation
}

/** CTE `given`: feedback on trials and their predictions, with the id of the trial. */
function givenSql({ scope, models, table, feedback }: Judged, columns: string, parameters: Parameters): string {
  const rows = tableRowsSql(
    { relation: feedback, projectId: scope.projectId },
    ['t."id"', 't."call_id"', 't."feedback_type"', 't."payload"', 't."created_at"'],
    ['t."call_id" IS NOT NULL', `t."feedback_type" <> 'ext.note.1'`],
    parameters,
  )
  return `${modelsSql(models, parameters)},
    subject AS MATERIALIZED (SELECT id AS call_id, id AS trial_id FROM "${table}" UNION ALL
      SELECT c.id, c.parent_id FROM (${childrenSql(scope, childColumns, parameters)}) c
        JOIN "${table}" trial ON c.parent_id = trial.id JOIN model USING (evaluation)
      WHERE coalesce(${isPrediction('model.model')}, false)),
    given AS (SELECT trial_id, f.id, f.created_at, f.feedback_type, ${columns}
      FROM (${rows}) f JOIN subject USING (call_id))`
}

const sampleShape = rowShape({ type: 'text', payload: 'json', count: 'integer' })

/** Some payloads of each type of feedback, and on how many trials it is. */
export function feedbackSamplesStatement(judged: Judged): Sql<RowOfShape<typeof sampleShape>> {
  const parameters = new Parameters()
  return {
    text: `WITH ${givenSql(judged, 'f.payload', parameters)},
      counted AS (SELECT feedback_type, count(DISTINCT trial_id) AS trials FROM given GROUP BY ALL)
      SELECT feedback_type, payload, trials FROM given JOIN counted USING (feedback_type)
      QUALIFY row_number() OVER (PARTITION BY feedback_type ORDER BY created_at DESC, id) <=
        ${operationLimits.feedbackSamples}
      ORDER BY feedback_type, created_at DESC, id`,
    values: parameters.values,
    shape: sampleShape,
  }
}

const labelShape = rowShape({ trial: 'text', label: 'json?', count: 'integer' })

/** The newest label of each trial at a path of the payloads of a type, and how many it has. */
export function feedbackLabelsStatement(
  judged: Judged,
  type: string,
  path: readonly string[],
): Sql<RowOfShape<typeof labelShape>> {
  const parameters = new Parameters()
  const label = `nullif(json_extract(f.payload, ${parameters.bind(jsonPointer(path))})::VARCHAR, 'null') AS label`
  return {
    text: `WITH ${givenSql(judged, label, parameters)}
      SELECT trial_id, arg_max(label, (created_at, id)), count(*) FROM given
      WHERE feedback_type = ${parameters.bind(type)} AND label IS NOT NULL GROUP BY trial_id`,
    values: parameters.values,
    shape: labelShape,
  }
}

const callShape = rowShape({ trial: 'text', id: 'text', key: 'text', isPrediction: 'integer' })

/** The predictions and scores of some trials, oldest first. */
export function judgedCallsStatement(
  { scope, models, table }: Omit<Judged, 'feedback'>,
  trialIds: readonly string[],
): Sql<RowOfShape<typeof callShape>> {
  const parameters = new Parameters()
  return {
    text: `WITH ${modelsSql(models, parameters)}
      SELECT trial.id, c.id, ${scoreKey}, coalesce(${isPrediction('model.model')}, false)::INTEGER
      FROM (${childrenSql(scope, childColumns, parameters)}) c JOIN "${table}" trial ON c.parent_id = trial.id
        JOIN model USING (evaluation)
      WHERE list_contains(${parameters.bind({ texts: trialIds })}::VARCHAR[], trial.id) ORDER BY c.started_at, c.id`,
    values: parameters.values,
    shape: callShape,
  }
}

const saidShape = rowShape({ trial: 'text', output: 'text', scored: 'json?' })

/** The beginning of the output of some trials, and all that one scorer said of them. */
export function judgedTextsStatement(
  table: string,
  trialIds: readonly string[],
  scorer: string,
): Sql<RowOfShape<typeof saidShape>> {
  const parameters = new Parameters()
  const output = `coalesce(json_extract_string(outcome, '/output'), '')`
  return {
    text: `SELECT id, left(${output}, ${operationLimits.comparedInputChars}),
        json_extract(scores, ${parameters.bind(jsonPointer([scorer]))})::VARCHAR
      FROM "${table}" WHERE list_contains(${parameters.bind({ texts: trialIds })}::VARCHAR[], id)`,
    values: parameters.values,
    shape: saidShape,
  }
}
