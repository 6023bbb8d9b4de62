import { expect, test } from 'bun:test'
import { Random } from '../../../../test/golden/random.ts'
import { parseJson } from '../json-body.ts'
import { exactPlace, type NumberPlace, plainPlace } from '../marked-numbers.ts'
import type { OutlineBounds } from './outline.ts'
import { outlineJson } from './read-large-json.ts'

/** A body with members of the user, some of them in elements of a list. */
const element: NumberPlace = { ...plainPlace, members: new Map([['a', exactPlace]]) }
const body: NumberPlace = {
  ...plainPlace,
  members: new Map([
    ['inputs', exactPlace],
    ['rows', { ...plainPlace, elements: element }],
  ]),
}

/** Small enough to split nearly every array and object. */
const bounds: OutlineBounds = { depthMax: 20, runBytes: 16, valueBytesMax: 1e6, reorderedMembersMax: 1000 }

async function parse(text: string | Uint8Array, more: Partial<OutlineBounds> = {}): Promise<unknown> {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
  return await (await outlineJson(bytes, { ...bounds, ...more })).parse(body)
}

const scalars = [
  '1',
  '-0',
  '1.0',
  '12345678901234567890',
  '1e3',
  '0.25',
  'true',
  'null',
  '""',
  '"a"',
  '"\\\\"',
  '"\\""',
]
const texts = ['"[,]{:}"', '"\\\\\\""', '"\\ud800"', '"70000000"', '"Grüße, 世界"', `"${'long '.repeat(20)}"`]
const names = [
  '"a"',
  '"b"',
  '"inputs"',
  '"query"',
  '"10"',
  '"9"',
  '"0"',
  '"01"',
  '"\\u0031"',
  '"__proto__"',
  '"x,y:{"',
  '"é"',
]
const spaces = ['', '', '', ' ', '\n\t ']

function randomText(random: Random, depth: number): string {
  const space = () => random.pick(spaces)
  const kind = depth === 0 ? 0 : random.below(4)
  if (kind < 2) return space() + random.pick([...scalars, ...texts]) + space()
  const children = Array.from({ length: random.below(7) }, () => {
    const value = randomText(random, depth - 1)
    return kind === 2 ? value : `${space()}${random.pick(names)}${space()}:${value}`
  }).join(',')
  return kind === 2 ? `${space()}[${children}${space()}]${space()}` : `${space()}{${children}${space()}}${space()}`
}

test('parsing in chunks gives the same value or error as parsing at once', async () => {
  const random = new Random(7)
  for (let round = 0; round < 3000; round++) {
    let text = `{"inputs":${randomText(random, 5)},"rows":${randomText(random, 3)},"n":[${randomText(random, 4)}]}`
    // Insert or drop a character.
    if (round % 3 === 0) {
      const at = random.below(text.length)
      text = text.slice(0, at) + random.pick(['', ',', ']', '}', '{', '"', ':', '1', ' ']) + text.slice(at + 1)
    }
    const whole = outcome(() => parseJson(text, 20, body))
    const pieces = await outcome(() => parse(text))
    expect({ text, pieces }).toEqual({ text, pieces: await whole })
  }
})

async function outcome(work: () => unknown): Promise<string> {
  try {
    return JSON.stringify(await work())
  } catch (cause) {
    if (cause instanceof SyntaxError) return 'SyntaxError'
    throw cause
  }
}

test('stray text next to commas, brackets and names is rejected', async () => {
  const long = `[${'"some text",'.repeat(5)}1]`
  for (const text of [`[,${long}]`, `[${long},]`, `[${long},,1]`, `[1,${long} 2]`, `[${long}${long}]`, `{"a"${long}}`])
    await expect(parse(text)).rejects.toThrow(SyntaxError)
  for (const text of [
    `{:${long}}`,
    `{"a":${long},}`,
    `{"a":1 "b":${long}}`,
    `${long},`,
    `${long}]`,
    `[${long}`,
    `{${long}}`,
  ])
    await expect(parse(text)).rejects.toThrow(SyntaxError)
})

test('a byte order mark is ignored only at the beginning', async () => {
  expect(await parse('\ufeff[1,2,"a long text, longer than a piece"]')).toBeArrayOfSize(3)
  await expect(parse('[\ufeff1,2,"a long text, longer than a piece"]')).rejects.toThrow(SyntaxError)
})

test('depth and byte size are limited', async () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  expect(JSON.stringify(await parse(nested(20)))).toBe(nested(20))
  for (const text of [nested(21), nested(100_000)])
    await expect(parse(text)).rejects.toMatchObject({ type: 'RequestTooLarge' })
  await expect(parse(`[${'1,'.repeat(70_000)}1]`)).rejects.toMatchObject({ message: expect.stringContaining('values') })
})

test('only objects with out-of-order names are marked', async () => {
  const members = (from: number, by: number, prefix = '') =>
    Array.from({ length: 1500 }, (_, i) => `"${prefix}${from + i * by}":1`).join(',')
  expect(Object.keys((await parse(`{${members(0, 1)}}`)) as object)).toHaveLength(1500)
  expect(Object.keys((await parse(`{${members(0, 1)},"a":2}`)) as object)).toHaveLength(1501)
  expect(Object.keys((await parse(`{${members(9000, -1, 'k')}}`)) as object)).toHaveLength(1500)
  for (const text of [`{${members(9000, -1)}}`, `{"a":1,${members(0, 1)}}`, `{"a":1,${members(0, 1, '\\u0031')}}`])
    await expect(parse(text)).rejects.toMatchObject({ message: expect.stringContaining('numbers for names') })
})

test('the project of a long body is known early', async () => {
  const projectOf = async (text: string) => (await outlineJson(new TextEncoder().encode(text), bounds)).projectId
  expect(await projectOf('{"rows":[{"project_id":"no/no"}],"project_id" : "acme/bot","x":"project_id"}')).toBe(
    'acme/bot',
  )
  expect(await projectOf('{"project_id":{"a":"b"},"x":"y"}')).toBeUndefined()
  expect(await projectOf('{"project_id":1,"x":"y"}')).toBeUndefined()
  expect(await projectOf('["project_id","y"]')).toBeUndefined()
})
