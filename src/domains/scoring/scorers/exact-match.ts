import { Type } from '@sinclair/typebox'
import { areSameNumber, comparisonFields, expectedOf, normalisedText, outputOf, textOf } from './compared-texts.ts'
import { scorerClass, withDefault } from './scorer.ts'

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
