import type { TSchema } from '@sinclair/typebox'
import { present } from '../../lib/present.ts'
import { toVendorName } from './names.ts'
import { elementOf, membersOf, otherMembersOf, partsOf, schemasById, variantsOf } from './schema-parts.ts'

/** Keywords whose value is data, not a schema. */
const dataKeywords: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples', 'example'])

/** The schema in the vendor's dialect. The argument is not modified. */
export function renameSchema<Schema extends TSchema>(schema: Schema): Schema {
  return renameKeywords(schema) as Schema
}

function renameKeywords(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(renameKeywords)
  if (typeof schema !== 'object' || schema === null) return schema
  const isObjectSchema = 'type' in schema && schema.type === 'object'
  // The spread keeps TypeBox's symbols, so the copy validates like the original.
  const copy: Record<string | symbol, unknown> = { ...schema }
  for (const [keyword, value] of Object.entries(schema)) {
    if (dataKeywords.has(keyword)) continue
    if (isObjectSchema && keyword === 'properties') copy[keyword] = renameProperties(value)
    else if (isObjectSchema && keyword === 'required' && Array.isArray(value)) copy[keyword] = value.map(toVendorName)
    else copy[keyword] = renameKeywords(value)
  }
  return copy
}

const renameProperties = (properties: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [toVendorName(name), renameKeywords(schema)]))

/**
 * Translates a path into a value of `schema` to the vendor's names, as the client that sent the
 * value knows it. Segments beyond what the schema describes are kept.
 */
export function toVendorLocation(schema: TSchema, path: readonly (string | number)[]): (string | number)[] {
  const known = follow(schema, path, schemasById(schema))
  return [...known, ...path.slice(known.length)]
}

/**
 * Vendor names of the segments that `schema` describes, following the variant that describes most
 * of them.
 */
function follow(
  schema: TSchema,
  path: readonly (string | number)[],
  byId: ReadonlyMap<string, TSchema>,
): (string | number)[] {
  const [step, ...rest] = path
  if (step === undefined) return []
  const reference: unknown = schema['$ref']
  const target = typeof reference === 'string' ? byId.get(reference) : undefined
  const alternatives = target === undefined ? (variantsOf(schema) ?? partsOf(schema)) : [target]
  if (alternatives !== undefined) {
    const found = alternatives.map((alternative) => follow(alternative, path, byId))
    return found.reduce((longest, one) => (one.length > longest.length ? one : longest), [])
  }
  const members = membersOf(schema)
  if (members !== undefined && Object.hasOwn(members, step)) {
    return [toVendorName(String(step)), ...follow(present(members[step], 'The schema of a member'), rest, byId)]
  }
  const child = otherMembersOf(schema) ?? elementOf(schema, Number(step))
  return child === undefined ? [] : [step, ...follow(child, rest, byId)]
}
