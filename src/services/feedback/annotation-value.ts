import { compileJsonSchema } from '../json-schema.ts'

const notSchema = 'its form is no JSON Schema'

/** What is wrong with an annotation's value by the JSON Schema of its description; undefined where nothing is. */
export function annotationFault(schema: unknown, value: unknown): string | undefined {
  const check = compileJsonSchema(schema)
  return check === undefined ? notSchema : check(value)
}

/** That a JSON value is no JSON Schema; undefined where it is one. */
export const schemaFault = (schema: unknown): string | undefined =>
  compileJsonSchema(schema) === undefined ? notSchema : undefined
