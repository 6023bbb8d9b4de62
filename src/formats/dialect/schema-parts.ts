import type { TSchema } from '@sinclair/typebox'

/**
 * Marks for the codec that a schema may carry as options: `Type.String({ [fieldPathMark]: true })`
 * is the name of a field (in `columns`, `sort_by`); `Type.Record(…, { [namespaceMark]: true })` is
 * free JSON in which the member `ext` belongs to the server (`summary`, `attributes`). Neither
 * appears in the API description.
 */
export const fieldPathMark = 'x-field-path'
export const namespaceMark = 'x-server-namespace'

/**
 * The schema in a route declaration, if it is one: TypeBox marks schemas with symbols, a table of
 * responses by status has none.
 */
export const asSchema = (declared: unknown): TSchema | undefined => (isSchema(declared) ? declared : undefined)

const isSchema = (declared: unknown): declared is TSchema =>
  typeof declared === 'object' && declared !== null && Object.getOwnPropertySymbols(declared).length > 0

/**
 * The responses declared by a route, as pairs of status and schema (undefined for a response
 * without a described body).
 */
export function answersOf(declared: unknown): (readonly [status: string, schema: TSchema | undefined])[] {
  const single = asSchema(declared)
  if (single !== undefined) return [['200', single]]
  return Object.entries(declared ?? {}).map(([status, answer]) => [status, asSchema(answer)])
}

/** Alternative schemas of a value of `schema`, if it is a union. */
export const variantsOf = (schema: TSchema): readonly TSchema[] | undefined =>
  schemas(schema['anyOf'] ?? schema['oneOf'])

/** Schemas that a value of `schema` must match all of. */
export const partsOf = (schema: TSchema): readonly TSchema[] | undefined => schemas(schema['allOf'])

export const membersOf = (schema: TSchema): Readonly<Record<string, TSchema>> | undefined =>
  schema['type'] === 'object' ? schema['properties'] : undefined

/** Schema of members not named in `schema` (a TypeBox record, or `additionalProperties`). */
export function otherMembersOf(schema: TSchema): TSchema | undefined {
  if (schema['type'] !== 'object') return undefined
  const [byPattern] = Object.values<TSchema>(schema['patternProperties'] ?? {})
  const additional: TSchema | boolean | undefined = schema['additionalProperties']
  return byPattern ?? (typeof additional === 'object' ? additional : undefined)
}

/** Schema of the array element at `at`. */
export function elementOf(schema: TSchema, at: number): TSchema | undefined {
  const elements = elementsOf(schema)
  return Array.isArray(schema['items']) ? elements[at] : elements[0]
}

/** Schemas of all elements of an array: one of a list, several of a tuple. */
export function elementsOf(schema: TSchema): readonly TSchema[] {
  if (schema['type'] !== 'array') return []
  const items: TSchema | readonly TSchema[] | undefined = schema['items']
  return items === undefined ? [] : [items].flat()
}

/** Schemas inside `schema` by `$id`: the targets of its `$ref`s (TypeBox recursion and modules). */
export function schemasById(schema: TSchema): ReadonlyMap<string, TSchema> {
  const found = new Map<string, TSchema>()
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if (hasId(value)) found.set(value.$id, value)
    for (const member of Object.values(value)) visit(member)
  }
  visit(schema)
  return found
}

const hasId = (value: object): value is TSchema & { readonly $id: string } =>
  '$id' in value && typeof value.$id === 'string'

const schemas = (value: readonly TSchema[] | undefined): readonly TSchema[] | undefined =>
  Array.isArray(value) ? value : undefined
