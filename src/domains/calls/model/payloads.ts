import { type Static, Type } from '@sinclair/typebox'
import { Nullable, NullableInteger, OpenObject } from '../../../formats/schemas/members.ts'
import { ProjectId } from '../../../lib/project-id.ts'

const call = { project_id: ProjectId, call_id: Type.String() }

/** Which piece of a payload to read. */
export const ValueRequest = OpenObject({
  ...call,
  path: Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 1 })], {
    description:
      '`inputs`, `output`, `attributes` or `summary`, then keys and positions: `inputs.messages.0.content`. A list ' +
      'of keys can name those that are empty or contain dots',
  }),
  offset: Nullable(Type.Integer({ minimum: 0, default: 0, description: 'Characters of the value to skip' })),
  length: Nullable(
    Type.Integer({ minimum: 1, maximum: 4_194_304, default: 262_144, description: 'Maximum number of characters' }),
  ),
})
export type ValueRequest = Static<typeof ValueRequest>

const types = ['object', 'array', 'string', 'number', 'boolean', 'null'] as const

/** A piece of the JSON text of a value. */
export const ValueText = Type.Object({
  path: Type.String({ description: 'With dots inside keys as `\\.`' }),
  type: Type.Union(types.map((type) => Type.Literal(type))),
  characters: Type.Integer({ description: 'UTF-16 code units of the JSON text of the whole value' }),
  offset: Type.Integer(),
  text: Type.String({ description: 'JSON text as stored: numbers and order of members as sent' }),
  next_offset: Type.Union([NullableInteger], { description: 'Null at the end of the value' }),
})
export type ValueText = Static<typeof ValueText>

export const SizesRequest = OpenObject(call)
export type SizesRequest = Static<typeof SizesRequest>

const Size = Type.Integer()

/** Lengths of the JSON texts of a call, in UTF-16 code units. */
export const PayloadSizes = Type.Object({
  sizes: Type.Object({
    inputs: Size,
    output: Size,
    attributes: Size,
    summary: Size,
    exception: Type.Integer({ description: 'Length of the plain text; 0 without an exception' }),
  }),
})
export type PayloadSizes = Static<typeof PayloadSizes>
