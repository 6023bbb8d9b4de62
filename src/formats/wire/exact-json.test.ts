import { expect, test } from 'bun:test'
import { isRawNumber } from '../../lib/json-value.ts'
import { parseExactly } from './exact-json.ts'
import { mayLoseNumbers } from './marked-numbers.ts'

const numbersThatChange = [
  '1.0',
  '-0',
  '-0.0',
  '1e2',
  '1E+2',
  '0.10',
  '1e400',
  '9007199254740993',
  '12345678901234567890',
  '0.1234567890123456789',
  '1.7976931348623157e308',
  '123456789.123456789',
  '0.0000001',
]
const numbersThatStay = ['0', '1', '-1', '1.5', '0.1', '123456789012345', '-0.25']

test('numbers round-trip verbatim, wherever they are', () => {
  for (const number of [...numbersThatChange, ...numbersThatStay]) {
    for (const text of [number, `[${number}]`, `[0,${number}]`, `{"a":${number}}`, `{"a":{"b":[null,${number}]}}`]) {
      expect(JSON.stringify(parseExactly(text))).toBe(text)
    }
  }
})

test('detects every number that JSON.stringify would print differently', () => {
  for (const number of [...numbersThatChange, ...numbersThatStay]) {
    for (const text of [
      `[${number}]`,
      `{"a":${number}}`,
      `{"a": ${number} }`,
      `[1,\n${number}]`,
      `{"a":"b","c":${number}}`,
    ]) {
      const changes = JSON.stringify(JSON.parse(text)) !== text.replaceAll(/\s/g, '')
      if (changes) expect(mayLoseNumbers(text)).toBe(true)
    }
  }
})

test('plain numbers and texts with digits take the fast path', () => {
  for (const text of ['{"a":1,"b":[2,3.5],"c":-7}', '{"a":"1.0"}', '{"id":"00000000000000000000"}'])
    expect(mayLoseNumbers(text)).toBe(false)
})

test('only numbers that would change are kept raw', () => {
  const [one, two] = parseExactly('[1, 2.0]') as unknown[]
  expect(one).toBe(1)
  expect(isRawNumber(two)).toBe(true)
  expect(isRawNumber({ rawJSON: '1' })).toBe(false)
  expect(isRawNumber(null)).toBe(false)
})

test('a member named __proto__ stays a member', () => {
  const text = '{"__proto__":{"a":1.0},"b":2}'
  expect(JSON.stringify(parseExactly(text))).toBe(text)
})
