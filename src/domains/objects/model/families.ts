import { type Static, Type } from '@sinclair/typebox'
import { FreeObject, Nullable, NullableText, OpenObject } from '../../../formats/schemas/members.ts'
import { TimeText } from '../../../lib/time.ts'

const Text = Type.String()
const name = Type.String({ description: 'Objects with the same name become versions of one object' })
const description = Nullable(Text)

/** Members of all responses about a new version. */
const receipt = { digest: Text, object_id: Text, version_index: Type.Integer() }
/** Members of all versions that are read. */
const version = { object_id: Text, digest: Text, version_index: Type.Integer(), created_at: TimeText }

export const OpCreate = OpenObject({
  name: Nullable(name),
  source_code: Nullable(Type.String({ description: 'Complete source code, including imports' })),
})
export type OpCreate = Static<typeof OpCreate>
export const OpReceipt = Type.Object(receipt)
export const Op = Type.Object({ ...version, code: Text })

export const DatasetCreate = OpenObject({ name: Nullable(name), description, rows: Type.Array(FreeObject) })
export type DatasetCreate = Static<typeof DatasetCreate>
export const DatasetReceipt = Type.Object(receipt)
export const Dataset = Type.Object({
  ...version,
  name: Text,
  description: NullableText,
  rows: Type.String({ description: 'Ref of the table with the rows' }),
})

export const ScorerCreate = OpenObject({
  name,
  description,
  op_source_code: Type.String({ description: 'Complete source code of `score`, including imports' }),
})
export type ScorerCreate = Static<typeof ScorerCreate>
export const ScorerReceipt = Type.Object({ ...receipt, scorer: Type.String({ description: 'Scorer ref' }) })
export const Scorer = Type.Object({ ...version, name: Text, description: NullableText, score_op: Text })

export const ModelCreate = OpenObject({
  name,
  description,
  source_code: Type.String({ description: 'Complete source code of the class, including imports' }),
  attributes: Nullable(FreeObject),
})
export type ModelCreate = Static<typeof ModelCreate>
export const ModelReceipt = Type.Object({ ...receipt, model_ref: Text })
export const Model = Type.Object({
  ...version,
  name: Text,
  description: NullableText,
  source_code: Text,
  attributes: Type.Union([FreeObject, Type.Null()]),
})

export const EvaluationCreate = OpenObject({
  name,
  description,
  dataset: Type.String({ description: 'Dataset ref' }),
  scorers: Nullable(Type.Array(Type.String({ description: 'Scorer refs' }))),
  trials: Nullable(Type.Integer({ minimum: 1, default: 1 })),
  evaluation_name: Nullable(Type.String({ description: 'Display name of evaluation runs' })),
  eval_attributes: Nullable(FreeObject),
})
export type EvaluationCreate = Static<typeof EvaluationCreate>
export const EvaluationReceipt = Type.Object({ ...receipt, evaluation_ref: Text })
export const Evaluation = Type.Object({
  ...version,
  name: Text,
  description: NullableText,
  dataset: Text,
  scorers: Type.Array(Text),
  trials: Type.Integer(),
  evaluation_name: NullableText,
  evaluate_op: NullableText,
  predict_and_score_op: NullableText,
  summarize_op: NullableText,
})
