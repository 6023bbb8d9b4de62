import { type Static, Type } from '@sinclair/typebox'
import { CallsQuery } from '../../../formats/schemas/calls.ts'
import { Nullable, OpenObject } from '../../../formats/schemas/members.ts'
import { explorationLimits } from '../../../lib/limits/exploration.ts'

const { project_id, filter, query } = CallsQuery.properties

const coverage = {
  calls_read: Type.Integer({
    description: 'Matching calls that the response is based on: all of them, the newest ones, or some of all times',
  }),
  is_sample: Type.Boolean({ description: 'Whether there may be other matching calls' }),
  is_partial: Type.Boolean({ description: 'Whether the time limit was reached before all calls were searched' }),
}

const Prefix = (description: string) =>
  Nullable(Type.String({ maxLength: explorationLimits.fieldPathCharsMax, description }))

const Scalar = Type.Unsafe<unknown>(
  Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()], {
    description: 'A JSON scalar; numbers are as stored',
  }),
)

/** Which fields of calls to list. */
export const CallFieldsRequest = OpenObject({
  project_id,
  filter,
  query,
  prefix: Prefix('Beginning of the path, in upper or lower case'),
  limit: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: explorationLimits.fieldsListedMax,
      default: explorationLimits.fieldsListedDefault,
      description: 'Maximum number of fields',
    }),
  ),
})
export type CallFieldsRequest = Static<typeof CallFieldsRequest>

export const jsonTypes = ['string', 'number', 'boolean', 'object', 'array', 'null'] as const

/** The fields that calls have, in the spelling of queries. */
export const CallFields = Type.Object({
  fields: Type.Array(
    Type.Object({
      path: Type.String({ description: 'As in queries; of a list, only the first element is described, as `.0`' }),
      types: Type.Array(Type.Union(jsonTypes.map((type) => Type.Literal(type)))),
      share: Type.Number({ description: 'Share of the calls read that have the field, from 0 to 1' }),
      examples: Type.Array(Scalar, { maxItems: 3, description: 'Distinct values; long texts are truncated' }),
    }),
  ),
  ...coverage,
})
export type CallFields = Static<typeof CallFields>

/** Whose values to count. */
export const CallValuesRequest = OpenObject({
  project_id,
  path: Type.String({ maxLength: explorationLimits.fieldPathCharsMax, description: 'Path of a field, as in queries' }),
  filter,
  query,
  prefix: Prefix('Beginning of the values to list, in upper or lower case'),
  limit: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: explorationLimits.valuesListedMax,
      default: explorationLimits.valuesListedDefault,
      description: 'Maximum number of values',
    }),
  ),
})
export type CallValuesRequest = Static<typeof CallValuesRequest>

/** The most frequent values of a field. */
export const CallValues = Type.Object({
  values: Type.Array(Type.Object({ value: Scalar, count: Type.Integer() })),
  missing: Type.Integer({ description: 'Calls without the field, or in which it is null' }),
  other: Type.Integer({ description: 'Calls with a value that is not listed, such as an object or a long text' }),
  histogram: Type.Optional(
    Type.Array(Type.Object({ from: Type.Number(), to: Type.Number(), count: Type.Integer() }), {
      description: 'If most values are numbers: their distribution. `to` belongs to the next range, except the last',
    }),
  ),
  ...coverage,
})
export type CallValues = Static<typeof CallValues>
