import { type Static, Type } from '@sinclair/typebox'
import { FreeObject, Nullable, NullableText, NullableTime, OpenObject } from '../../../formats/schemas/members.ts'

const code = <Code extends string>(value: Code) => Type.Literal(value, { default: value })

const rowCounts = {
  completed_rows: Type.Integer({ description: 'Number of rows predicted and scored' }),
  total_rows: Type.Integer({ description: 'Total number of rows; never less than `completed_rows`' }),
}

/** Progress of an evaluation. */
export const EvaluationStatus = Type.Union([
  Type.Object({ code: code('not_found') }, { description: 'The call does not exist' }),
  Type.Object({ code: code('running'), ...rowCounts }, { description: 'The evaluation is queued or in progress' }),
  Type.Object({ code: code('paused'), ...rowCounts }, { description: 'It goes on when it is resumed' }),
  Type.Object({ code: code('failed'), error: NullableText }),
  Type.Object({ code: code('complete'), output: FreeObject }),
])
export type EvaluationStatus = Static<typeof EvaluationStatus>

const Ref = (description: string) => Type.String({ minLength: 1, description })

export const EvaluationRunCreate = OpenObject({
  evaluation: Ref('Evaluation ref'),
  model: Ref('Model ref'),
  source_evaluation_run_id: Nullable(Type.String({ description: 'Evaluation run whose predictions are scored again' })),
})
export type EvaluationRunCreate = Static<typeof EvaluationRunCreate>

/** One run of an evaluation with one model, as returned by reads. */
export const EvaluationRun = Type.Object({
  evaluation_run_id: Type.String(),
  evaluation: Type.String(),
  model: Type.String(),
  status: Type.Union([Type.Literal('running'), Type.Literal('completed'), Type.Literal('failed')]),
  started_at: NullableTime,
  finished_at: NullableTime,
  summary: FreeObject,
  source_evaluation_run_id: NullableText,
})
export type EvaluationRun = Static<typeof EvaluationRun>

/** The OpenTelemetry span in which a prediction was made. */
export const GenAiSpanRef = OpenObject({ trace_id: Type.String(), span_id: Type.String() })

export const PredictionCreate = OpenObject({
  model: Ref('Model ref'),
  inputs: FreeObject,
  output: Type.Unknown(),
  evaluation_run_id: Nullable(Type.String({ description: 'Evaluation run that the prediction belongs to' })),
  genai_span_ref: Nullable(Type.Array(GenAiSpanRef)),
})
export type PredictionCreate = Static<typeof PredictionCreate>

/** Output of a model for given inputs, as returned by reads. */
export const Prediction = Type.Object({
  prediction_id: Type.String(),
  model: Type.String(),
  inputs: FreeObject,
  output: Type.Unknown(),
  evaluation_run_id: NullableText,
  ext_user_id: NullableText,
})
export type Prediction = Static<typeof Prediction>

export const ScoreCreate = OpenObject({
  prediction_id: Type.String(),
  scorer: Ref('Scorer ref (object or op)'),
  value: Type.Unknown({ description: 'Result of the scorer, unchanged' }),
  evaluation_run_id: Nullable(Type.String({ description: 'Evaluation run that the score belongs to' })),
})
export type ScoreCreate = Static<typeof ScoreCreate>

/** Result of a scorer for a prediction, as returned by reads. */
export const Score = Type.Object({
  score_id: Type.String(),
  scorer: Type.String(),
  value: Type.Unknown(),
  evaluation_run_id: NullableText,
  ext_user_id: NullableText,
})
export type Score = Static<typeof Score>

/** Response of finish operations. */
export const Finished = Type.Object({ success: Type.Boolean() })
