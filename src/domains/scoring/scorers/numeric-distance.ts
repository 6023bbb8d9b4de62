import { Type } from '@sinclair/typebox'
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
