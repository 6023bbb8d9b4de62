import type { Random } from '../golden/random.ts'

// biome-ignore lint/suspicious/noExplicitAny: OpenAPI schemas are read at many depths here
type Schema = any

/** An operation as the OpenAPI document describes it. */
export interface Operation {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly parameters: readonly { name: string; in: string; required: boolean; schema: Schema }[]
  readonly body: { type: string; schema: Schema } | undefined
}

/** Values for members with these names, so that requests reach stored records. */
export type Known = Readonly<Record<string, readonly unknown[]>>

export function operationsOf(document: Schema): Operation[] {
  const found: Operation[] = []
  for (const [path, methods] of Object.entries<Schema>(document.paths)) {
    for (const [method, { parameters = [], requestBody }] of Object.entries<Schema>(methods)) {
      const [media] = Object.entries<Schema>(requestBody?.content ?? {})
      const body = media && { type: media[0], schema: media[1].schema ?? {} }
      found.push({ name: `${method.toUpperCase()} ${path}`, method: method.toUpperCase(), path, parameters, body })
    }
  }
  return found
}

/** Generates values that match a schema of the document. */
export class Maker {
  private readonly random: Random
  private readonly schemas: Schema
  private readonly known: Known

  constructor(random: Random, document: Schema, known: Known) {
    this.random = random
    this.schemas = document.components?.schemas ?? {}
    this.known = known
  }

  make(schema: Schema, name = '', depth = 0): unknown {
    if (schema.$ref !== undefined) return this.make(this.schemas[schema.$ref.split('/').at(-1)], name, depth)
    if (schema.const !== undefined) return schema.const
    if (schema.enum !== undefined) return this.random.pick(schema.enum)
    const variants = schema.anyOf ?? schema.oneOf
    if (variants !== undefined) return this.make(this.random.pick(variants), name, depth)
    if (schema.allOf !== undefined) {
      return Object.assign({}, ...schema.allOf.map((part: Schema) => this.make(part, name, depth)))
    }
    if (schema.type === 'array') {
      const length = Math.max(schema.minItems ?? 0, depth > 6 ? 0 : this.random.below(3))
      return Array.from({ length }, () => this.make(schema.items ?? {}, name, depth + 1))
    }
    if (schema.type === 'object' || schema.properties !== undefined) return this.object(schema, depth)
    const known = this.known[name]
    if (known !== undefined && this.random.below(10) > 0) return this.random.pick(known)
    switch (schema.type) {
      case 'string':
        return schema.format === 'date-time' ? '2026-01-01T00:00:00Z' : this.random.pick(texts)
      case 'integer':
        return this.random.pick([0, 1, 2, 10, 1000, schema.minimum ?? 5])
      case 'number':
        return this.random.pick([0, 0.5, 1, 2.25])
      case 'boolean':
        return this.random.below(2) === 0
      case 'null':
        return null
      default:
        return this.random.pick([null, 1, 'text', { a: [1, { b: 'c' }] }, [], this.random.pick(this.known['ref']!)])
    }
  }

  private object({ properties = {}, required = [], additionalProperties }: Schema, depth: number): object {
    const made: Record<string, unknown> = {}
    for (const [name, schema] of Object.entries(properties)) {
      const isWanted = required.includes(name) || (depth < 7 && this.random.below(3) === 0)
      if (isWanted) made[name] = this.make(schema, name, depth + 1)
    }
    if (typeof additionalProperties === 'object' && this.random.below(2) === 0) {
      made[this.random.pick(texts)] = this.make(additionalProperties, '', depth + 1)
    }
    return made
  }
}

const texts: readonly string[] = ['a', 'inputs.a', 'output', 'latest', 'v0', 'scores.exact', 'UTC', 'gpt-4o', '*']

/** Values that no client should send. */
export const hostileTexts: readonly string[] = [
  '',
  ' ',
  '.',
  '..',
  '../../etc/passwd',
  '..%2f..%2fetc%2fpasswd',
  '/etc/passwd',
  "'; DROP TABLE calls; --",
  '"',
  "''",
  '%',
  '%00',
  '%zz',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\uffff',
  '\u202e',
  '\u{1f319}',
  'İ',
  '\n\r\t',
  '__proto__',
  'constructor',
  'toString',
  '$expr',
  '{}',
  '[',
  'null',
  'NaN',
  '-1',
  '1e999',
  '99999999999999999999',
  '2026-13-45T99:99:99Z',
  '+275760-09-13T00:00:00.000Z',
  '-000001-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999Z',
  'Mars/Olympus',
  'ext:///',
  'ext:///a/b/object/c:d/key/',
  'ext:///a/b/object/c:d/index/99999999999999999999',
  'ext:///fuzz/all/call/%2e%2e',
  'weave-trace-internal:///x',
  'custom::',
  'custom::a::b',
  'inputs..a',
  'inputs.a\\',
  'summary.ext.costs.x.y',
  `${'a.'.repeat(40)}a`,
  'x'.repeat(5_000),
  '\\'.repeat(999),
  '[('.repeat(500),
]

export const hostileValues: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1.5,
  2 ** 31,
  2 ** 53,
  2 ** 63,
  -(2 ** 63),
  1e300,
  5e-324,
  [],
  {},
  [[]],
  [null],
  [{}],
  { a: null },
  { $expr: {} },
  { $literal: {} },
  { $getField: 'id' },
  Array.from({ length: 2_000 }, () => 'x'),
  Array.from({ length: 300 }, (_, i) => ({ i })),
  nested(190),
  nested(260),
]

function nested(depth: number): unknown {
  let value: unknown = 1
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { a: value }
  return value
}
