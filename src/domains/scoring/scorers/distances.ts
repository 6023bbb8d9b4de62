import { Type } from '@sinclair/typebox'
import { distance } from 'fastest-levenshtein'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { comparisonFields, expectedOf, isNumber, outputOf, textOf } from './compared-texts.ts'
import { scorerClass, withDefault } from './scorer.ts'

/**
 * `{"distance": number, "within": boolean}`: distance between the numbers in the output and the
 * expected value, and whether it is within the tolerance. Without a number in the output:
 * `{"distance": null, "within": false}`. In text, the last number counts.
 */
export const numericDistanceScorer = scorerClass({
  className: 'NumericDistanceScorer',
  description: 'Distance between the number in the output and the expected number',
  fields: Type.Object({
    ...comparisonFields,
    tolerance: withDefault(
      Type.Number({ minimum: 0, description: 'Maximum distance that counts as within tolerance' }),
      0,
    ),
    relative: withDefault(Type.Boolean({ description: 'Measure the distance relative to the expected number' }), false),
  }),
  prepare: (fields) => (example) => {
    const output = numberIn(outputOf(fields, example))
    const expected = numberIn(expectedOf(fields, example))
    if (output === undefined || expected === undefined) return { distance: null, within: false }
    const apart = Math.abs(output - expected)
    const distance = fields.relative && expected !== 0 ? apart / Math.abs(expected) : apart
    return { distance, within: distance <= fields.tolerance }
  },
})

function numberIn(value: unknown): number | undefined {
  if (isNumber(value)) return Number(textOf(value))
  if (typeof value !== 'string') return undefined
  // Models like to write thousands separators.
  const last = value.match(/-?\d[\d,]*(?:\.\d+)?(?:[eE][+-]?\d+)?/g)?.at(-1)
  const number = last === undefined ? Number.NaN : Number(last.replaceAll(',', ''))
  return Number.isFinite(number) ? number : undefined
}

/**
 * `{"rouge1", "rouge2", "rougeL"}`, each 0…1: overlap of words, word pairs, and longest common
 * subsequence between output and expected text (ROUGE, Lin 2004; F1). Null for texts longer than
 * 20,000 characters.
 */
export const rougeScorer = scorerClass({
  className: 'RougeScorer',
  description: 'Word overlap with the expected text (F1 of ROUGE-1, ROUGE-2 and ROUGE-L)',
  fields: Type.Object(comparisonFields),
  prepare: async (fields) => {
    const { l, n } = await import('js-rouge')
    return (example) => {
      const output = textOf(outputOf(fields, example)).trim()
      const expected = textOf(expectedOf(fields, example)).trim()
      if (output.length > operationLimits.rougeCharsMax || expected.length > operationLimits.rougeCharsMax)
        return { rouge1: null, rouge2: null, rougeL: null }
      if (output === '' || expected === '') {
        const score = output === expected ? 1 : 0
        return { rouge1: score, rouge2: score, rougeL: score }
      }
      const options = { caseSensitive: false }
      const overlap = (size: number) =>
        words(output, expected) < size ? 0 : n(output, expected, { ...options, n: size })
      return { rouge1: overlap(1), rouge2: overlap(2), rougeL: l(output, expected, options) }
    }
  },
})

/** Number of words in the shorter text. */
const words = (...texts: readonly string[]): number => Math.min(...texts.map((text) => text.split(/\s+/u).length))

/**
 * `{"distance": integer, "similarity": 0…1}`: Levenshtein distance between output and expected text
 * in UTF-16 units, and 1 minus its ratio to the longer text. Null for texts longer than 100,000
 * units, whose comparison would take minutes.
 */
export const editDistanceScorer = scorerClass({
  className: 'EditDistanceScorer',
  description: 'Levenshtein distance between the output and the expected text',
  fields: Type.Object(comparisonFields),
  prepare: (fields) => (example) => {
    const output = textOf(outputOf(fields, example))
    const expected = textOf(expectedOf(fields, example))
    const longest = Math.max(output.length, expected.length)
    if (longest > operationLimits.editDistanceCharsMax) return { distance: null, similarity: null }
    const apart = distance(output, expected)
    return { distance: apart, similarity: longest === 0 ? 1 : 1 - apart / longest }
  },
})
