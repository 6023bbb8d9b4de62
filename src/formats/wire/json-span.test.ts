import { expect, test } from 'bun:test'
import { findJsonSpan } from './json-span.ts'

async function at(text: string, ...path: string[]): Promise<string | undefined> {
  const span = await findJsonSpan(text, path)
  return span && `${span.type} ${text.slice(span.from, span.to)}`
}

test('finds values as they are written', async () => {
  const text = ' {"a" : [ 1.0, {"b\\"c":"x\\\\", "d":{ } } ,null], "é":1e400,"":true, "10":-0, "2":"}"} '
  expect(await at(text)).toBe(`object ${text.trim()}`)
  expect(await at(text, 'a', '0')).toBe('number 1.0')
  expect(await at(text, 'a', '1', 'b"c')).toBe('string "x\\\\"')
  expect(await at(text, 'a', '1', 'd')).toBe('object { }')
  expect(await at(text, 'a', '2')).toBe('null null')
  expect(await at(text, 'é')).toBe('number 1e400')
  expect(await at(text, '')).toBe('boolean true')
  expect(await at(text, '10')).toBe('number -0')
  expect(await at(text, '2')).toBe('string "}"')
  expect(await at('"a\\"b"')).toBe('string "a\\"b"')
})

test('finds nothing where there is nothing', async () => {
  const text = '{"a":[1,2],"b":{},"c":"text","e":[]}'
  for (const path of [
    ['x'],
    ['a', '2'],
    ['a', 'x'],
    ['a', '-1'],
    ['b', 'x'],
    ['c', '0'],
    ['c', 'length'],
    ['e', '0'],
  ]) {
    expect(await at(text, ...path)).toBeUndefined()
  }
})

test('takes the first of equal keys', async () => {
  expect(await at('{"a":1,"a":2}', 'a')).toBe('number 1')
  expect(await at('{"\\u0061":1,"a":2}', 'a')).toBe('number 1')
})

test('agrees with JSON.parse on nested values', async () => {
  const value = { list: Array.from({ length: 300 }, (_, n) => ({ n, text: '[{"\\'.repeat(n % 7), deep: [[n]] })) }
  const text = JSON.stringify(value, null, 1)
  for (const n of ['0', '7', '299']) {
    const span = await findJsonSpan(text, ['list', n])
    expect(JSON.parse(text.slice(span!.from, span!.to))).toEqual(value.list[Number(n)])
  }
})
