import { expect, test } from 'bun:test'
import { rawNumber, storedJson } from './json-value.ts'

test.each<[unknown, string]>([
  [{ a: 'x\ud800y', 'k\udc00': [1, '\ud83d'] }, '{"a":"x\ufffdy","k\ufffd":[1,"\ufffd"]}'],
  ['😀', '"😀"'],
  [{ b: '\\ud800', '1': rawNumber('1.0') }, '{"1":1.0,"b":"\\\\ud800"}'],
  [null, 'null'],
])('%j', (value, text) => {
  expect(storedJson(value)).toBe(text)
})
