import { Type } from '@sinclair/typebox'
import { distance } from 'fastest-levenshtein'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { comparisonFields, expectedOf, outputOf, textOf } from './compared-texts.ts'
import { scorerClass } from './scorer.ts'

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
