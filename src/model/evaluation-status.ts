import { type Static, Type } from '@sinclair/typebox'
import { FreeObject } from './nullable.ts'

const code = <Code extends string>(value: Code) => Type.Literal(value, { default: value })

/** How far an evaluation is. */
export const EvaluationStatus = Type.Union([
  Type.Object({ code: code('not_found') }, { description: 'There is no such call' }),
  Type.Object(
    {
      code: code('running'),
      completed_rows: Type.Integer({ description: 'rows that are through model and scorers' }),
      total_rows: Type.Integer({ description: 'rows to do in all; at least completed_rows' }),
    },
    { description: 'It waits for its turn or goes on' },
  ),
  Type.Object({ code: code('failed'), error: Type.Union([Type.String(), Type.Null()]) }),
  Type.Object({ code: code('complete'), output: FreeObject }),
])
export type EvaluationStatus = Static<typeof EvaluationStatus>
