/** As much of JSON Schema as tools and answer formats use. */
export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, JsonSchema>>
  readonly minimum?: number
}

const depthMax = 16

/**
 * A value that fits a schema, always the same one: defaults and first choices, true, the least
 * number, and `text` for every string.
 */
export function exampleValue(schema: JsonSchema, text: string, root: JsonSchema = schema, depth = 0): unknown {
  if (depth > depthMax) return null
  const inner = (part: JsonSchema): unknown => exampleValue(part, text, root, depth + 1)
  if (schema.$ref !== undefined) return inner(root.$defs?.[schema.$ref.replace('#/$defs/', '')] ?? {})
  if (schema.const !== undefined) return schema.const
  if (schema.default !== undefined) return schema.default
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.anyOf !== undefined) return inner(schema.anyOf[0] ?? {})
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0]
  switch (type ?? (schema.properties === undefined ? 'string' : 'object')) {
    case 'object':
      return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, member]) => [name, inner(member)]))
    case 'array':
      return schema.items === undefined ? [] : [inner(schema.items)]
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return text
  }
}
