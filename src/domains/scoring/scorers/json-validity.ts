import { Type } from '@sinclair/typebox'
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
