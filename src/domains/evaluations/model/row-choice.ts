import { type Static, Type } from '@sinclair/typebox'
import { Nullable, NullableText, OpenObject } from '../../../formats/schemas/members.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'

/** Some rows of a dataset. See docs/decisions/244-runs-over-some-rows.md. */
export const RowChoice = OpenObject({
  split: Nullable(
    Type.String({ description: '`train` (80 %), `test` (20 %), or either with a percentage, such as `test:10`' }),
  ),
  row_digests: Nullable(
    Type.Array(Type.String(), {
      minItems: 1,
      maxItems: operationLimits.chosenRowsMax,
      description: 'Digests of rows, which the dataset has to have',
    }),
  ),
  limit: Nullable(
    Type.Integer({ minimum: 1, description: 'As many of these rows, the first ones in the order of the dataset' }),
  ),
})
export type RowChoice = Static<typeof RowChoice>

/** What a run says of the rows that it was started with. */
export const ChosenRows = Type.Object({
  split: NullableText,
  row_digests: Type.Union([Type.Integer(), Type.Null()], { description: 'How many rows were named' }),
  limit: Type.Union([Type.Integer(), Type.Null()]),
})
export type ChosenRows = Static<typeof ChosenRows>
