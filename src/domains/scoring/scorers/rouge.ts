import { Type } from '@sinclair/typebox'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { comparisonFields, expectedOf, outputOf, textOf } from './compared-texts.ts'
import { scorerClass } from './scorer.ts'

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
