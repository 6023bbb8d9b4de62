import { type TProperties, type TSchema, Type } from '@sinclair/typebox'

/** A member that may be omitted or null, with the same meaning. */
export const Nullable = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]))

/** Any JSON object; its members belong to the user and are not inspected. */
export const FreeObject = Type.Unsafe<Record<string, unknown>>(Type.Object({}, { additionalProperties: true }))

/** An object in a request: unknown members are ignored, so that newer clients keep working. */
export const OpenObject = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: true })
