import { Type } from '@sinclair/typebox'
import { isJsonObject } from '../../model/json-value.ts'
import { outputFields, outputOf } from './compared-texts.ts'
import { scorerClass } from './scorer.ts'

/** `{"json_valid": boolean}`: whether the output is a JSON object or list, or a text that holds one. */
export const jsonValidityScorer = scorerClass({
  className: 'ValidJSONScorer',
  description: 'Whether the output is JSON',
  fields: Type.Object(outputFields),
  prepare: (fields) => (example) => ({ json_valid: parsedOutput(outputOf(fields, example)) !== undefined }),
})

/** The JSON object or list that `output` is or spells; undefined where it is none. */
export function parsedOutput(output: unknown): object | undefined {
  if (Array.isArray(output) || isJsonObject(output)) return output
  if (typeof output !== 'string') return undefined
  try {
    const value: unknown = JSON.parse(output)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    // Not JSON: which is what was asked.
    return undefined
  }
}
