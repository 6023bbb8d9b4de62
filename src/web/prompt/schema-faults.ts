import { type JsonFault, type ReadJson, readJson } from './json-places.ts'

const types = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']
type Path = readonly (string | number)[]
/** A fault by the path of the value that has it. */
type Found = { readonly path: Path; readonly reason: string } | undefined
type Check = (value: unknown, path: Path) => Found

const isMembers = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const shown = (value: unknown): string => JSON.stringify(value).slice(0, 40)

/** The first fault of the text of a JSON Schema, with its position; undefined if there is none. */
export function schemaFault(text: string): JsonFault | undefined {
  const read = readJson(text)
  return 'fault' in read ? read.fault : placed(read, checkSchema(read.value, []))
}

/** The same for a list of tools, whose parameters are JSON Schemas. */
export function toolsFault(text: string): JsonFault | undefined {
  const read = readJson(text)
  return 'fault' in read ? read.fault : placed(read, checkTools(read.value))
}

const placed = (read: ReadJson, found: Found): JsonFault | undefined =>
  found && { offset: read.offsetAt(found.path), reason: found.reason }

function checkTools(value: unknown): Found {
  if (!Array.isArray(value)) return { path: [], reason: 'tools are a list' }
  for (const [index, tool] of value.entries()) {
    const path = [index, 'function']
    const called = isMembers(tool) ? tool['function'] : undefined
    if (!isMembers(called)) return { path: [index], reason: 'a tool has the member “function”' }
    if (typeof called['name'] !== 'string' || called['name'] === '') return { path, reason: 'a function has a name' }
    if (called['parameters'] !== undefined) {
      const fault = checkSchema(called['parameters'], [...path, 'parameters'])
      if (fault) return fault
    }
  }
  return undefined
}

function checkSchema(value: unknown, path: Path): Found {
  if (typeof value === 'boolean') return undefined
  if (!isMembers(value)) return { path, reason: `a schema is an object, true or false, not ${shown(value)}` }
  for (const [name, member] of Object.entries(value)) {
    const fault = checks[name]?.(member, [...path, name])
    if (fault) return fault
  }
  return undefined
}

const schemas: Check = (value, path) => {
  if (!isMembers(value)) return { path, reason: `“${path.at(-1)}” is an object of schemas` }
  return first(
    Object.entries(value).map(
      ([name, each]) =>
        () =>
          checkSchema(each, [...path, name]),
    ),
  )
}

const schemaList: Check = (value, path) => {
  if (!Array.isArray(value) || value.length === 0) return { path, reason: `“${path.at(-1)}” is a list of schemas` }
  return first(value.map((each: unknown, index) => () => checkSchema(each, [...path, index])))
}

const itemsOf: Check = (value, path) => (Array.isArray(value) ? schemaList(value, path) : checkSchema(value, path))

const typeOf: Check = (value, path) => {
  const given: readonly unknown[] = Array.isArray(value) ? value : [value]
  const at = given.findIndex((each) => typeof each !== 'string' || !types.includes(each))
  if (at < 0 && given.length > 0) return undefined
  return {
    path: Array.isArray(value) && at >= 0 ? [...path, at] : path,
    reason: `“type” is ${shown(given[at] ?? [])}, not one of ${types.join(', ')}`,
  }
}

const texts: Check = (value, path) =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')
    ? undefined
    : { path, reason: `“${path.at(-1)}” is a list of strings` }

const list: Check = (value, path) =>
  Array.isArray(value) && value.length > 0 ? undefined : { path, reason: `“${path.at(-1)}” is a list of values` }

const count: Check = (value, path) =>
  Number.isInteger(value) && Number(value) >= 0 ? undefined : { path, reason: `“${path.at(-1)}” is a count` }

const number: Check = (value, path) =>
  Number.isFinite(value) ? undefined : { path, reason: `“${path.at(-1)}” is a number` }

const text: Check = (value, path) =>
  typeof value === 'string' ? undefined : { path, reason: `“${path.at(-1)}” is a text` }

const pattern: Check = (value, path) => {
  if (typeof value !== 'string') return { path, reason: '“pattern” is a text' }
  try {
    new RegExp(value, 'u')
    return undefined
  } catch {
    return { path, reason: `“pattern” is ${shown(value)}, which is not a regular expression` }
  }
}

const checks: Readonly<Record<string, Check>> = {
  type: typeOf,
  properties: schemas,
  patternProperties: schemas,
  $defs: schemas,
  definitions: schemas,
  dependentSchemas: schemas,
  items: itemsOf,
  prefixItems: schemaList,
  additionalProperties: checkSchema,
  propertyNames: checkSchema,
  contains: checkSchema,
  not: checkSchema,
  if: checkSchema,
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: checkSchema,
  else: checkSchema,
  allOf: schemaList,
  anyOf: schemaList,
  oneOf: schemaList,
  required: texts,
  enum: list,
  minItems: count,
  maxItems: count,
  minLength: count,
  maxLength: count,
  minProperties: count,
  maxProperties: count,
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  multipleOf: number,
  pattern,
  title: text,
  description: text,
  $ref: text,
}

function first(attempts: readonly (() => Found)[]): Found {
  for (const attempt of attempts) {
    const found = attempt()
    if (found) return found
  }
  return undefined
}
