import type { Random } from './random.ts'

/** A JSON number with its spelling, which JavaScript's numbers would lose. */
export class NumberText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type Json = null | boolean | string | NumberText | Json[] | Map<string, Json>

export const keys = ['a', 'b.c', 'say "hi"', "it's", '日本', '0', '1', 'x/y', '~1', '$[0]', 'back\\slash', '-1']

const numbers = ['0', '5', '-3', '5.0', '1.5', '0.1', '-2.25', '100.0', '1', '255']
const large = ['9007199254740992', '9007199254740993', '-9007199254740993', '123456789012345678901234567890']
export const numberTexts: readonly string[] = [...numbers, ...large]

export const texts: readonly string[] = [
  ...[
    '',
    'a',
    'b',
    'A',
    'abc',
    'foo bar',
    'Foo-Bar_baz',
    'über',
    'ÜBER',
    '日本語',
    '🙂',
    '\uffff',
    "it's",
    'say "hi"',
    'back\\slash',
  ],
  ...[
    '5',
    '5.0',
    '1.5',
    'true',
    'false',
    'null',
    'nan',
    'inf',
    ' 5',
    '1_0',
    '0x10',
    '%',
    '_',
    '$1',
    '; DROP TABLE calls; --',
    'a\nb',
    'a\tb',
  ],
  ...['9007199254740993', '1e3', '{"a":1}', '[1,2]', 'ext:///a/b/object/c:1', 'weave:///a/b/object/c:1'],
]

/** JSON of mixed types, with nulls and missing keys. */
export function randomJson(random: Random, depth: number): Json {
  const kind = random.below(depth > 0 ? 10 : 7)
  if (kind === 0) return null
  if (kind === 1) return random.below(2) === 0
  if (kind < 4) return random.pick(texts)
  if (kind < 7) return new NumberText(random.pick(numberTexts))
  if (kind < 8) return Array.from({ length: random.below(4) }, () => randomJson(random, depth - 1))
  return randomObject(random, depth)
}

export const randomObject = (random: Random, depth: number): Map<string, Json> =>
  new Map(Array.from({ length: random.below(6) }, () => [random.pick(keys), randomJson(random, depth - 1)]))

/** Compact JSON text that keeps the spelling of numbers. */
export function print(json: Json): string {
  if (json instanceof NumberText) return json.text
  if (Array.isArray(json)) return `[${json.map(print).join(',')}]`
  if (json instanceof Map)
    return `{${[...json].map(([key, item]) => `${JSON.stringify(key)}:${print(item)}`).join(',')}}`
  return JSON.stringify(json)
}
