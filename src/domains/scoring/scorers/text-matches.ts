import { Type } from '@sinclair/typebox'
import { DomainError, quoted } from '../../../lib/errors.ts'
import { isRawNumber } from '../../../lib/json-value.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import {
  areSameNumber,
  comparisonFields,
  expectedOf,
  normalisedText,
  outputFields,
  outputOf,
  textOf,
} from './compared-texts.ts'
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

/**
 * `{"match": boolean}`: whether the output equals the expected value, exactly or after
 * normalization.
 */
export const exactMatchScorer = scorerClass({
  className: 'ExactMatchScorer',
  description: 'Whether the output equals the expected value',
  fields: Type.Object({
    ...comparisonFields,
    normalise: withDefault(
      Type.Boolean({ description: 'Ignore case, punctuation, whitespace and Unicode variants' }),
      false,
    ),
  }),
  prepare: (fields) => (example) => {
    const values = [outputOf(fields, example), expectedOf(fields, example)] as const
    if (areSameNumber(...values)) return { match: true }
    const [output, expected] = [textOf(values[0]), textOf(values[1])]
    return {
      match: fields.normalise ? normalisedText(output) === normalisedText(expected) : output === expected,
    }
  },
})

/**
 * `{"contains": boolean}`: whether the output contains the expected text, or any text of an
 * expected list.
 */
export const containsScorer = scorerClass({
  className: 'ContainsScorer',
  description: 'Whether the output contains the expected text, or any text of an expected list',
  fields: Type.Object({
    ...comparisonFields,
    normalise: withDefault(
      Type.Boolean({ description: 'Ignore case, punctuation, whitespace and Unicode variants' }),
      false,
    ),
  }),
  prepare: (fields) => (example) => {
    const form = fields.normalise ? normalisedText : (text: string) => text
    const output = form(textOf(outputOf(fields, example)))
    const expected = expectedOf(fields, example)
    const texts = (Array.isArray(expected) ? expected : [expected]).flatMap(spellings).map(form)
    return { contains: texts.some((text) => text !== '' && output.includes(text)) }
  },
})

/** The text of a value; for a number such as `4.0` also the plain form, `4`. */
const spellings = (value: unknown): string[] =>
  isRawNumber(value) ? [textOf(value), String(Number(value.rawJSON))] : [textOf(value)]
