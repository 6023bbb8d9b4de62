import { expect, test } from 'bun:test'
import { directionOf } from './direction.ts'

test.each([
  ['What is new?', 'ltr'],
  ['מה חדש? What is new?', 'rtl'],
  ['12:30 – ما الجديد؟', 'rtl'],
  ['“שלום”', 'rtl'],
  ['2026', 'ltr'],
  ['', 'ltr'],
] as const)('%p runs %s', (text, direction) => {
  expect(directionOf(text)).toBe(direction)
})
