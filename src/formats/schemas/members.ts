import { type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { ProjectId } from '../../lib/project-id.ts'
import { TimeText } from '../../lib/time.ts'

/** A body whose `project_id` is optional because the path contains it. */
export const underPath = <P extends TProperties>(schema: TObject<P>) =>
  Type.Composite([Type.Omit(schema, ['project_id']), Type.Object({ project_id: Type.Optional(ProjectId) })], {
    additionalProperties: true,
  })

/** A response without members. */
export const Empty = Type.Object({})

/** A member that may be omitted or null, with the same meaning. */
export const Nullable = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]))

/** Any JSON object; its members belong to the user and are not inspected. */
export const FreeObject = Type.Unsafe<Record<string, unknown>>(Type.Object({}, { additionalProperties: true }))

/**
 * Marks an object whose members are passed on even if its schema does not name them, such as the
 * parameters of a model: they are the user's own JSON, whose numbers are kept as they are written.
 * It does not appear in the API description.
 */
export const passedOnMark = 'x-passed-on'
export const passedOn = { additionalProperties: true, [passedOnMark]: true }

/** An object in a request: unknown members are ignored, so that newer clients keep working. */
export const OpenObject = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: true })

/** A member that is always there; null if it has no value. */
export const NullableText = Type.Union([Type.String(), Type.Null()])
export const NullableTime = Type.Union([TimeText, Type.Null()])
export const NullableNumber = Type.Union([Type.Number(), Type.Null()])
export const NullableInteger = Type.Union([Type.Integer(), Type.Null()])
