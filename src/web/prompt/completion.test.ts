import { expect, test } from 'bun:test'
import { openAt } from './completion.ts'

const names = ['question', 'query', 'name', 'customer.id']

test.each([
  ['Hi {{', 'mustache', 5, ['question', 'query', 'name', 'customer.id'], 3, 5],
  ['Hi {{ qu}} there', 'mustache', 8, ['question', 'query'], 3, 10],
  ['Hi {{Q', 'mustache', 6, ['question', 'query'], 3, 6],
  ['{{customer.', 'mustache', 11, ['customer.id'], 0, 11],
  ['a {na', 'braces', 5, ['name'], 2, 5],
] as const)('%s is completed', (text, format, caret, found, from, to) => {
  expect(openAt(text, caret, format, names)).toEqual({ names: [...found], from, to })
})

test.each([
  ['Hi {{name}}', 'mustache', 11],
  ['Hi {{name', 'mustache', 9],
  ['Hi {{ zzz', 'mustache', 9],
  ['Hi {', 'mustache', 4],
  ['{{na\nme', 'mustache', 7],
  ['a {{na', 'braces', 6],
  ['plain', 'mustache', 5],
] as const)('%s has nothing to complete', (text, format, caret) => {
  expect(openAt(text, caret, format, names)).toBeUndefined()
})
