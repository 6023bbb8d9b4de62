import { expect, test } from 'bun:test'
import { coefficientText } from './value-text.tsx'

test.each([
  [1, '1.00'],
  [-0.25, '−0.25'],
  [-0.004, '0.00'],
  [-0.005001, '−0.01'],
])('the coefficient %d is shown as %s', (value, shown) => {
  expect(coefficientText(value)).toBe(shown)
})
