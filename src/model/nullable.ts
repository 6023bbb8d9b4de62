import { type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { TimeText } from '../kernel/time.ts'

/** A member that may be omitted or null, with the same meaning. */
export const Nullable = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]))

/** Any JSON object; its members belong to the user and are not inspected. */
export const FreeObject = Type.Unsafe<Record<string, unknown>>(Type.Object({}, { additionalProperties: true }))

/** An object in a request: unknown members are ignored, so that newer clients keep working. */
export const OpenObject = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: true })

/** A member that is always there; null if it has no value. */
export const NullableText = Type.Union([Type.String(), Type.Null()])
export const NullableTime = Type.Union([TimeText, Type.Null()])
export const NullableNumber = Type.Union([Type.Number(), Type.Null()])
export const NullableInteger = Type.Union([Type.Integer(), Type.Null()])
