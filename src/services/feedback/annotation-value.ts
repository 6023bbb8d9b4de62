import { limits } from '../../limits.ts'
import { compileJsonSchema, type SchemaCheck } from '../json-schema.ts'

const notSchema = 'its form is no JSON Schema'

/** Preparing a schema takes some ten milliseconds, and a batch of annotations mostly has one. Under its JSON, the oldest first. */
const prepared = new Map<string, SchemaCheck | undefined>()

/** What is wrong with an annotation's value by the JSON Schema of its description; undefined where nothing is. */
export function annotationFault(schema: unknown, value: unknown): string | undefined {
  const check = prepare(schema)
  return check === undefined ? notSchema : check(value)
}

/** That a JSON value is no JSON Schema; undefined where it is one. */
export const schemaFault = (schema: unknown): string | undefined =>
  compileJsonSchema(schema) === undefined ? notSchema : undefined

function prepare(schema: unknown): SchemaCheck | undefined {
  const text = JSON.stringify(schema)
  if (prepared.has(text)) return prepared.get(text)
  const check = compileJsonSchema(schema)
  prepared.set(text, check)
  if (prepared.size > limits.schemasKept) prepared.delete(prepared.keys().next().value!)
  return check
}
