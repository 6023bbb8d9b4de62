import { type Static, Type } from '@sinclair/typebox'
import { FreeObject, NullableText } from '../../../formats/schemas/nullable.ts'

const code = <Code extends string>(value: Code) => Type.Literal(value, { default: value })

/** Progress of an evaluation. */
export const EvaluationStatus = Type.Union([
  Type.Object({ code: code('not_found') }, { description: 'The call does not exist' }),
  Type.Object(
    {
      code: code('running'),
      completed_rows: Type.Integer({ description: 'Number of rows predicted and scored' }),
      total_rows: Type.Integer({ description: 'Total number of rows; never less than `completed_rows`' }),
    },
    { description: 'The evaluation is queued or in progress' },
  ),
  Type.Object({ code: code('failed'), error: NullableText }),
  Type.Object({ code: code('complete'), output: FreeObject }),
])
export type EvaluationStatus = Static<typeof EvaluationStatus>
