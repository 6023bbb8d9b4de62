type Schema = Readonly<Record<string, unknown>>

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly requestBody?: unknown }>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/**
 * Members of JSON bodies that may be any JSON value or any JSON object, as the API description
 * says: "POST /call/start start.inputs". A body that may be any object is "POST /otel/v1/traces".
 */
export function freeMembersOf(document: unknown): string[] {
  const { paths, components } = document as Document
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) => {
      const content = (requestBody as { content?: Record<string, { schema?: Schema }> } | undefined)?.content ?? {}
      const schema = content['application/json']?.schema
      if (schema === undefined) return []
      const found = new Set<string>()
      collect(schema, [], { found, schemas: components.schemas, within: [] })
      return [...found].map((place) => `${method.toUpperCase()} ${path} ${place}`.trimEnd())
    }),
  )
}

interface Search {
  readonly found: Set<string>
  readonly schemas: Readonly<Record<string, Schema>>
  /** Names of the schemas that contain this one: a recursive schema is not entered again. */
  readonly within: readonly string[]
}

function collect(schema: Schema, path: readonly string[], search: Search): void {
  const name = String(schema['$ref'] ?? '')
    .split('/')
    .at(-1)!
  if (name !== '') {
    if (!search.within.includes(name))
      collect(search.schemas[name]!, path, { ...search, within: [...search.within, name] })
    return
  }
  const alternatives = (schema['anyOf'] ?? schema['oneOf'] ?? schema['allOf']) as readonly Schema[] | undefined
  if (alternatives !== undefined) {
    for (const alternative of alternatives) collect(alternative, path, search)
    return
  }
  const { type, items, prefixItems = [], properties = {}, patternProperties = {}, additionalProperties } = schema
  const others = Object.values(patternProperties as Record<string, Schema>)
  if (typeof additionalProperties === 'object') others.push(additionalProperties as Schema)
  if (type === 'object') {
    const members = Object.entries(properties as Record<string, Schema>)
    for (const [member, child] of members) collect(child, [...path, member], search)
    for (const child of others) collect(child, [...path, '*'], search)
    if (members.length === 0 && others.length === 0) search.found.add(path.join('.'))
  } else if (type === 'array') {
    const elements = [...(prefixItems as Schema[]), ...(typeof items === 'object' ? [items as Schema] : [])]
    for (const element of elements) collect(element, [...path, '[]'], search)
  } else if (type === undefined && !('const' in schema) && !('enum' in schema)) {
    search.found.add(path.join('.'))
  }
}
