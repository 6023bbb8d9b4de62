import { expect, test } from 'bun:test'
import { completionPlace } from './completion.ts'

const cases: readonly (readonly [string, string])[] = [
  ['', 'field "" 0'],
  ['lat', 'field "lat" 0'],
  ['inputs.us', 'field "inputs.us" 0'],
  ['latency ', 'comparator "" 8'],
  ['latency >', 'value "" 9'],
  ['latency > ', 'value "" 10'],
  ['op = air', 'value "air" 5'],
  ['op = "air', 'value "air" 5'],
  ['op not contains ', 'value "" 16'],
  ['op in (', 'value "" 7'],
  ['op in ("a", ', 'value "" 12'],
  ['op in ("a")', 'joiner ")" 10'],
  ['latency > 5s ', 'joiner "" 13'],
  ['thread exists ', 'joiner "" 14'],
  ['latency > 5s and ', 'field "" 17'],
  ['latency > 5s and st', 'field "st" 17'],
  ['(', 'field "" 1'],
]

test.each(cases)('%p', (text, expected) => {
  const { kind, prefix, from } = completionPlace(text)
  expect(`${kind} ${JSON.stringify(prefix)} ${from}`).toBe(expected)
})
