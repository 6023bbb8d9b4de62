import { Type } from '@sinclair/typebox'
import { isRawNumber } from '../../../lib/json-value.ts'
import { comparisonFields, expectedOf, normalisedText, outputOf, textOf } from './compared-texts.ts'
import { scorerClass, withDefault } from './scorer.ts'

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
