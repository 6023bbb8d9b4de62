import { type Static, Type } from '@sinclair/typebox'
import { TimeText } from '../kernel/time.ts'
import { FreeObject, Nullable, OpenObject } from './nullable.ts'

const Ref = (description: string) => Type.String({ minLength: 1, description })
const NullableText = Type.Union([Type.String(), Type.Null()])
const NullableTime = Type.Union([TimeText, Type.Null()])

export const EvaluationRunCreate = OpenObject({
  evaluation: Ref('Evaluation ref'),
  model: Ref('Model ref'),
  source_evaluation_run_id: Nullable(Type.String({ description: 'Evaluation run whose predictions are scored again' })),
})
export type EvaluationRunCreate = Static<typeof EvaluationRunCreate>

/** One evaluation of one model, as it is read. */
export const EvaluationRun = Type.Object({
  evaluation_run_id: Type.String(),
  evaluation: Type.String(),
  model: Type.String(),
  status: Type.Union([Type.Literal('running'), Type.Literal('completed'), Type.Literal('failed')]),
  started_at: NullableTime,
  finished_at: NullableTime,
  summary: Type.Union([FreeObject, Type.Null()]),
  source_evaluation_run_id: NullableText,
})
export type EvaluationRun = Static<typeof EvaluationRun>

/** Where a prediction was seen in a trace of OpenTelemetry. */
export const GenAiSpanRef = OpenObject({ trace_id: Type.String(), span_id: Type.String() })

export const PredictionCreate = OpenObject({
  model: Ref('Model ref'),
  inputs: FreeObject,
  output: Type.Unknown(),
  evaluation_run_id: Nullable(Type.String({ description: 'Evaluation run that the prediction belongs to' })),
  genai_span_ref: Nullable(Type.Array(GenAiSpanRef)),
})
export type PredictionCreate = Static<typeof PredictionCreate>

/** What a model made of its inputs, as it is read. */
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

/** What a scorer said about a prediction, as it is read. */
export const Score = Type.Object({
  score_id: Type.String(),
  scorer: Type.String(),
  value: Type.Unknown(),
  evaluation_run_id: NullableText,
  ext_user_id: NullableText,
})
export type Score = Static<typeof Score>

/** Answer of the operations that finish something. */
export const Finished = Type.Object({ success: Type.Boolean() })
