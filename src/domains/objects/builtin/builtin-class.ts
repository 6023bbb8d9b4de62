import { type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import type { Dialect } from '../../../formats/dialect/dialect.ts'

/** A class of objects whose content the server validates and completes. */
export interface BuiltinClass {
  readonly name: string
  /** Own fields in the order in which they are written; `default` fills in omitted ones. */
  readonly schema: TObject
  /**
   * Rules that a schema cannot express. Receives the completed content; returns what is wrong with
   * it.
   */
  readonly faultIn?: (
    content: Readonly<Record<string, unknown>>,
    rules: ClassRules,
  ) => Promise<string | undefined> | string | undefined
}

/** Content rules set by the operator. */
export interface ClassRules {
  /** Spells members and the server's own classes. */
  readonly dialect: Pick<Dialect, 'nameOf' | 'className'>
  /** Private hosts allowed for providers. */
  readonly privateHosts: readonly string[]
}

/**
 * Marks a schema as a model: its name and the names of its base classes; a leading `Ext` is spelled
 * by dialect.
 */
const modelMark = 'tracelake:model'

export interface Model {
  readonly name: string
  readonly bases: readonly string[]
}

/** The model that a schema is marked as, if any. */
export const modelOf = (schema: TSchema & { readonly [modelMark]?: Model }): Model | undefined => schema[modelMark]

/** A model inside an object. Unknown members are dropped unless `keepOthers`. */
export const model = (
  name: string,
  fields: TProperties,
  { keepOthers = false, bases = ['BaseModel'] }: { keepOthers?: boolean; bases?: readonly string[] } = {},
): TObject => Type.Object(fields, { [modelMark]: { name, bases }, additionalProperties: true, keepOthers })

/** The schema of an object of a class: `name` and `description` come first. */
export const objectModel = (
  name: string,
  fields: TProperties,
  bases: readonly string[] = ['BaseObject', 'BaseModel'],
): TObject =>
  Type.Object(
    { name: OrNull(Type.String()), description: OrNull(Type.String()), ...fields },
    { [modelMark]: { name, bases }, additionalProperties: true },
  )

/** A nullable field that is null if omitted. */
export const OrNull = <T extends TSchema>(schema: T) =>
  Type.Optional(Type.Union([schema, Type.Null()], { default: null }))

/** A field with a default value. */
export const Default = <T extends TSchema>(schema: T, value: unknown) => Type.Optional({ ...schema, default: value })

export const Texts = Type.Array(Type.String())
export const oneOf = (...texts: string[]) => Type.Union(texts.map((text) => Type.Literal(text)))
export const FreeJsonObject = Type.Record(Type.String(), Type.Unknown())
