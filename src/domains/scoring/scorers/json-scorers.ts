import { Type } from '@sinclair/typebox'
import { DomainError } from '../../../lib/errors.ts'
import { outputFields, outputOf, parsedOutput } from './compared-texts.ts'
import { scorerClass } from './scorer.ts'

/**
 * `{"json_valid": boolean}`: whether the output is a JSON object or array, or text that contains
 * one.
 */
export const jsonValidityScorer = scorerClass({
  className: 'ValidJSONScorer',
  description: 'Whether the output is valid JSON',
  fields: Type.Object(outputFields),
  prepare: (fields) => (example) => ({ json_valid: parsedOutput(outputOf(fields, example)) !== undefined }),
})

/**
 * `{"json_valid": boolean, "schema_valid": boolean}`: whether the output is JSON, and matches a
 * JSON Schema (draft 7).
 */
export const jsonSchemaScorer = scorerClass({
  className: 'JSONSchemaScorer',
  description: 'Whether the output is JSON that matches a JSON Schema',
  fields: Type.Object({
    ...outputFields,
    json_schema: Type.Unsafe<Record<string, unknown>>(
      Type.Object({}, { additionalProperties: true, description: 'JSON Schema, draft 7' }),
    ),
  }),
  prepare: async (fields) => {
    const { compileJsonSchema } = await import('../judging/json-schema.ts')
    const check = compileJsonSchema(fields.json_schema, 'output')
    if (check === undefined) {
      throw new DomainError('InvalidRequest', 'JSONSchemaScorer: `json_schema` is not a valid JSON Schema')
    }
    return (example) => {
      const value = parsedOutput(outputOf(fields, example))
      return { json_valid: value !== undefined, schema_valid: value !== undefined && check(value) === undefined }
    }
  },
})
