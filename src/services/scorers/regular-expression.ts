import { Type } from '@sinclair/typebox'
import { DomainError } from '../../errors.ts'
import { outputFields, outputOf, textOf } from './compared-texts.ts'
import { scorerClass, withDefault } from './scorer.ts'

/**
 * `{"match": boolean}`: whether a regular expression of RE2's syntax matches somewhere in the output. RE2 matches in linear time, so that
 * no pattern can hold the server.
 */
export const regularExpressionScorer = scorerClass({
  className: 'RegexScorer',
  description: 'Whether a regular expression (RE2) matches somewhere in the output',
  fields: Type.Object({
    ...outputFields,
    pattern: Type.String({ minLength: 1, maxLength: 4096, description: 'Regular expression in the syntax of RE2' }),
    ignore_case: withDefault(Type.Boolean({ description: 'Take small and capital letters as the same' }), false),
  }),
  prepare: async (fields) => {
    const expression = await compile(fields.pattern, fields.ignore_case)
    return (example) => ({ match: expression.matcher(textOf(outputOf(fields, example))).find() })
  },
})

async function compile(pattern: string, ignoresCase: boolean) {
  const { RE2JS } = await import('re2js')
  try {
    return RE2JS.compile(pattern, ignoresCase ? RE2JS.CASE_INSENSITIVE : 0)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new DomainError('InvalidRequest', `Prepare a RegexScorer: the pattern "${pattern}" is not RE2: ${why}`, {
      cause,
    })
  }
}
