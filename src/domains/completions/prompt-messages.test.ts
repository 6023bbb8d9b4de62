import { expect, test } from 'bun:test'
import { fillMessages } from './prompt-messages.ts'

const filled = (content: unknown, variables: Record<string, unknown>) =>
  fillMessages([{ role: 'user', content }], variables)[0]!['content']

test('substitutes variables in strings and in text parts', () => {
  expect(filled('{a} and {{b}} and {a}', { a: 1 })).toBe('1 and {b} and 1')
  expect(
    filled(
      [
        { type: 'text', text: '{a}' },
        { type: 'image', text: '{a}' },
      ],
      { a: 'x' },
    ),
  ).toEqual([
    { type: 'text', text: 'x' },
    { type: 'image', text: '{a}' },
  ])
  expect(() => filled('{constructor}', { a: 1 })).toThrow('Missing template variable "constructor"')
})

test('a long variable repeated many times is rejected before it exhausts memory', () => {
  const long = 'x'.repeat(1024 * 1024)
  expect(filled('{a}'.repeat(20), { a: long })).toHaveLength(20 * long.length)
  expect(() => filled('{a}'.repeat(500_000), { a: long })).toThrow('exceed')
  const messages = Array.from({ length: 100 }, () => ({ role: 'user', content: '{a}' }))
  expect(() => fillMessages(messages, { a: long })).toThrow('exceed')
})
