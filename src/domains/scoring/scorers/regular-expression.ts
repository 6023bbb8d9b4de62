import { Type } from '@sinclair/typebox'
import { DomainError, quoted } from '../../../lib/errors.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { outputFields, outputOf, textOf } from './compared-texts.ts'
import { scorerClass, withDefault } from './scorer.ts'

/**
 * `{"match": boolean}`: whether an RE2 regular expression matches anywhere in the output. Takes
 * time linear in pattern and output.
 */
export const regularExpressionScorer = scorerClass({
  className: 'RegexScorer',
  description: 'Whether a regular expression (RE2) matches anywhere in the output',
  fields: Type.Object({
    ...outputFields,
    pattern: Type.String({ minLength: 1, maxLength: 4096, description: 'Regular expression in RE2 syntax' }),
    ignore_case: withDefault(Type.Boolean({ description: 'Ignore case' }), false),
  }),
  prepare: async (fields) => {
    const expression = await compile(fields.pattern, fields.ignore_case)
    const size = expression.programSize()
    return (example) => {
      const text = textOf(outputOf(fields, example))
      // RE2 may visit every instruction of the pattern for every character.
      if (size * text.length > operationLimits.patternStepsMax) {
        throw new DomainError(
          'InvalidRequest',
          `RegexScorer: a pattern of ${size} instructions is too expensive for an output of ${text.length} ` +
            'characters; shorten the pattern or select a part of the output with `output_path`',
        )
      }
      return { match: expression.matcher(text).find() }
    }
  },
})

async function compile(pattern: string, ignoresCase: boolean) {
  const { RE2JS } = await import('re2js')
  try {
    return RE2JS.compile(pattern, ignoresCase ? RE2JS.CASE_INSENSITIVE : 0)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new DomainError(
      'InvalidRequest',
      `RegexScorer: the pattern ${quoted(pattern, 200)} is not valid RE2: ${why}`,
      {
        cause,
      },
    )
  }
}
