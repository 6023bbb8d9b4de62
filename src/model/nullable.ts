import { type TProperties, type TSchema, Type } from '@sinclair/typebox'

/** A member that may be left out or null, both of which mean the same. */
export const Nullable = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]))

/** Any JSON object; its members are the user's own and are not looked at. */
export const FreeObject = Type.Unsafe<Record<string, unknown>>(Type.Object({}, { additionalProperties: true }))

/** An object of a request: members that the server does not know are ignored, so that newer clients keep working. */
export const OpenObject = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: true })
