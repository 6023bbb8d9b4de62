import { expect, test } from 'bun:test'
import { parseJson } from './json-body.ts'
import { exactPlace, type NumberPlace, plainPlace } from './marked-numbers.ts'

const parse = (text: string, depthMax = 200, place = body): unknown => parseJson(text, depthMax, place)

/** Places like those of a body with members of the user. */
const body: NumberPlace = {
  ...plainPlace,
  members: new Map(['inputs', 'output', 'attributes'].map((name) => [name, exactPlace])),
}
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

test('invalid JSON is rejected', () => {
  for (const text of ['', '{', 'NaN', '{"a":Infinity}', '{"a":1,}', "{'a':1}", '[1] 2', '\ufeff{}'])
    expect(() => parse(text)).toThrow(SyntaxError)
})

test('nesting is accepted up to the limit and rejected beyond it', () => {
  expect(parse(nested(5), 5)).toEqual([[[[[]]]]])
  for (const text of [nested(6), '{"a":[{"b":[{"c":[]}]}]}'])
    expect(() => parse(text, 5)).toThrow(expect.objectContaining({ type: 'RequestTooLarge' }))
  expect(() => parse(nested(100_000))).toThrow(expect.objectContaining({ type: 'RequestTooLarge' }))
})

test('numbers in free-form members keep their spelling, elsewhere they are plain numbers', () => {
  const body = parse(
    '{"started_at":1.50,"inputs":{"x":1.0,"big":12345678901234567890},"n":[2.0,{"output":-0}],"output":-0}',
  )
  expect(JSON.stringify(body)).toBe(
    '{"started_at":1.5,"inputs":{"x":1.0,"big":12345678901234567890},"n":[2,{"output":0}],"output":-0}',
  )
  expect((body as { started_at: unknown }).started_at).toBe(1.5)
})

test('lone surrogates become U+FFFD in values and keys; pairs stay', () => {
  expect(parse('{"a":"\\ud800","b":"\\ude00x","c":"\\ud83d\\ude00"}')).toEqual({
    a: '\ufffd',
    b: '\ufffdx',
    c: '\u{1f600}',
  })
  expect(parse('{"\\udc00":["\\ud800\\ud83d\\ude00"]}')).toEqual({ '\ufffd': ['\ufffd\u{1f600}'] })
  expect(JSON.stringify(parse('{"inputs":{"a":"\\ud800","n":1.0}}'))).toBe('{"inputs":{"a":"\ufffd","n":1.0}}')
})

test('a member named __proto__ stays a plain member on every path through the parser', () => {
  for (const text of ['{"__proto__":{"a":1}}', '{"__proto__":{"a":1.0}}', '{"inputs":{"__proto__":{"a":1.0}}}']) {
    expect(JSON.stringify(parse(text))).toBe(text.startsWith('{"inputs') ? text : '{"__proto__":{"a":1}}')
  }
  expect(JSON.stringify(parse('{"__proto__":{"a":"\\ud800"}}'))).toBe('{"__proto__":{"a":"\ufffd"}}')
})

test('members keep their order, whatever their keys look like', () => {
  for (const text of [
    '{"b":1,"2":2,"1":{"z":0,"10":[{"y":1,"0":"x"}],"9":null}}',
    '{"10":1,"9":2.0,"\\u0061":3,"0":4}',
    '{"inputs":{"n":1.0,"1":2},"attributes":{"x":"\\ud83d\\ude00","7":1}}',
  ]) {
    const inFull = text.startsWith('{"i') || !text.includes('2.0') ? text : text.replace('2.0', '2')
    const expected = inFull.replace('\\u0061', 'a').replace('\\ud83d\\ude00', '😀')
    expect(JSON.stringify(parse(text))).toBe(expected)
  }
})

test('a member added later to an ordered object is its last', () => {
  const body = parse('{"b":1,"0":2}') as Record<string, unknown>
  body['added'] = 3
  body['b'] = 4
  expect(JSON.stringify(body)).toBe('{"b":4,"0":2,"added":3}')
  delete body['0']
  expect(Object.keys(body)).toEqual(['b', 'added'])
})
