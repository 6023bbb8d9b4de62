import { expect, test } from 'bun:test'
import { SeededRandom } from '../../demo/traces/seeded-random.ts'
import { parseExactly, parseWithNumbers } from './exact-json.ts'
import { parseJson } from './json-body.ts'
import { exactPlace, markNumbers, type NumberPlace, plainPlace } from './marked-numbers.ts'

const exactly = (text: string): string => JSON.stringify(parseExactly(text))
/** A body whose members `inputs` and `query` are the user's. */
const body: NumberPlace = {
  ...plainPlace,
  members: new Map(['inputs', 'query'].map((name) => [name, exactPlace])),
}
const asBody = (text: string): string => JSON.stringify(parseJson(text, 200, body))

test('number-like text in strings and keys is left unchanged', () => {
  const texts = [
    '{"inputs":{"a":"text: 1.0, and [2.0]","b":3.0}}',
    '{"inputs":{"a":"{\\"score\\": 1.0, \\"of\\": [1e5,2.50]}","b":[1.0,2.0,-0,3.0]}}',
    '{"inputs":{"k: 1.0, l":"v: 2.0, w"}}',
    '{"inputs":{"__proto__":{"a":1.0},"b":[[[1.0]],{}]}}',
  ]
  for (const text of texts) {
    expect(exactly(text)).toBe(text)
    expect(asBody(text)).toBe(text)
  }
})

test('text that looks like a mark is taken literally', () => {
  const texts = [
    '{"inputs":{"a":7000000000000000,"b":1.0}}',
    '{"inputs":{"a":7000000000000000,"b":7000000000000001,"c":"7000000000000000"}}',
    '{"inputs":{"a":"7000000000000000","b":1.0}}',
    '{"inputs":{"a":"x: 1.0, 7000000000000000","b":1.0}}',
  ]
  for (const text of texts) {
    expect(exactly(text)).toBe(text)
    expect(asBody(text)).toBe(text)
  }
  const escaped = '{"inputs":{"k: 1.0,":"\\u00370000000\\u00300000000","b":1.0}}'
  expect(asBody(escaped)).toBe('{"inputs":{"k: 1.0,":"7000000000000000","b":1.0}}')
})

test('marks do not make invalid JSON valid, and errors refer to the original text', () => {
  for (const text of [
    '[01.0]',
    '[1.]',
    '[-]',
    '[+1.0]',
    '[.0]',
    '[1.0e]',
    '[00000000000000000000]',
    '[1.0,]',
    '{"a":1.0 2.0}',
  ]) {
    const error = (parse: () => unknown): unknown => {
      try {
        return parse()
      } catch (cause) {
        return String(cause)
      }
    }
    expect(error(() => parseJson(text, 9, body))).toBe(error(() => JSON.parse(text)))
  }
})

test('numbers keep their spelling in exact places, and are plain numbers elsewhere', () => {
  const value = parseJson('{"at":1.50,"query":{"a":9007199254740993,"b":1.0},"x":{"query":[1.0],"n":1e2}}', 9, body)
  expect(value).toMatchObject({ at: 1.5, x: { query: [1], n: 100 } })
  expect(JSON.stringify(value)).toBe('{"at":1.5,"query":{"a":9007199254740993,"b":1.0},"x":{"query":[1],"n":100}}')
})

test('random values match the slow parser', () => {
  const random = new SeededRandom(11)
  const number = (): string =>
    random.pick([
      '1.0',
      '-0',
      '-0.0',
      '1e5',
      '12E-3',
      '0.10',
      '7',
      '-3.25',
      '70000000',
      '0.00000012',
      '12345678.123456789',
    ])
  const string = (): string =>
    JSON.stringify(
      random.pick(['', 'a', ': 1.0,', '[2.50]', '\u{1f600}: -0}', '7: 1e3 ]', '{"a": 1.0}', '\n,4.0\n,', '__proto__']),
    )
  const value = (depth: number): string => {
    const kind = random.integer(0, depth > 4 ? 1 : 3)
    if (kind === 0) return number()
    if (kind === 1) return string()
    const space = random.pick(['', ' ', '\n '])
    const items = Array.from({ length: random.integer(0, 5) }, () => value(depth + 1))
    if (kind === 2) return `[${space}${items.join(`${space},${space}`)}${space}]`
    const members = items.map((item, i) => `"${random.pick(['k', 'l: 1.0,', 'inputs'])}${i}"${space}:${space}${item}`)
    return `{${members.join(',')}${space}}`
  }
  let marked = 0
  for (let i = 0; i < 5000; i++) {
    const text = value(0)
    if ((markNumbers(text)?.sources.length ?? 0) > 0) marked++
    expect(exactly(text)).toBe(JSON.stringify(parseWithNumbers(text)))
    expect(asBody(`{"inputs":${text}}`)).toBe(JSON.stringify({ inputs: parseWithNumbers(text) }))
  }
  expect(marked).toBeGreaterThan(1000)
})
