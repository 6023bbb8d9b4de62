import type { TSchema } from '@sinclair/typebox'
import { fieldPathMark, namespaceMark } from '../../formats/dialect/schema-parts.ts'
import { passedOnMark } from '../../formats/schemas/members.ts'

/** A schema in an OpenAPI 3.1 document, i.e. JSON Schema 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>

const hiddenKeywords: ReadonlySet<string> = new Set(['$id', '$defs', fieldPathMark, namespaceMark, passedOnMark])

/** Keywords whose value is data, not a schema. */
const dataKeywords: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples', 'required'])

/**
 * Collects named schemas (`$id`) while writing others, so that each is described once and recursive
 * schemas can be referenced.
 */
export class SchemaComponents {
  private readonly components = new Map<string, JsonSchema>()

  /** The schema without TypeBox internals; nested named schemas become references. */
  write(schema: TSchema): JsonSchema {
    const id: unknown = schema['$id']
    if (typeof id !== 'string') return this.writeKeywords(schema)
    const name = componentName(id)
    if (!this.components.has(name)) {
      this.components.set(name, {})
      this.components.set(name, this.writeKeywords(schema))
    }
    return reference(name)
  }

  /** `components.schemas`: all named schemas encountered, by name. */
  all(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries([...this.components].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  private writeKeywords(schema: TSchema): JsonSchema {
    const target: unknown = schema['$ref']
    const definitions: Readonly<Record<string, TSchema>> | undefined = schema['$defs']
    for (const definition of Object.values(definitions ?? {})) this.write(definition)
    if (typeof target === 'string') return reference(componentName(target))
    const written: Record<string, unknown> = {}
    for (const [keyword, value] of Object.entries(schema)) {
      if (hiddenKeywords.has(keyword)) continue
      written[keyword] = dataKeywords.has(keyword) ? value : this.writeValue(keyword, value)
    }
    return withTuple(withEnum(written))
  }

  private writeValue(keyword: string, value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item: unknown) => (isSchema(item) ? this.write(item) : item))
    if (!isSchema(value)) return value
    if (keyword !== 'properties' && keyword !== 'patternProperties') return this.write(value)
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, this.write(member)]))
  }
}

/**
 * JSON Schema 2020-12 describes tuples with `prefixItems`; a list in `items` is from older drafts.
 */
function withTuple(schema: JsonSchema): JsonSchema {
  const { items, additionalItems: _, ...rest } = schema
  return Array.isArray(items) ? { ...rest, prefixItems: items, items: false } : schema
}

/** Writes a union of constants as an `enum`. */
function withEnum(schema: Record<string, unknown>): JsonSchema {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || !anyOf.every((variant: JsonSchema) => 'const' in variant)) return schema
  const types = [...new Set(anyOf.map((variant: JsonSchema) => variant['type']))]
  return {
    type: types.length === 1 ? types[0] : types,
    enum: anyOf.map((variant: JsonSchema) => variant['const']),
    ...rest,
  }
}

const isSchema = (value: unknown): value is TSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Characters allowed in component names (OpenAPI 3.1.0, 4.8.7.1). */
const componentName = (id: string): string => id.replaceAll(/[^A-Za-z0-9._-]/g, '_')

const reference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })
