import { describe, expect, test } from 'bun:test'
import { limits } from '../limits.ts'
import { compileJsonSchema } from './json-schema.ts'

const check = (schema: unknown, value: unknown) => compileJsonSchema(schema)!(value)

/** Each definition asks for the next one twice: 2^60 steps for any value. */
function doubling(): object {
  const next = (i: number) => ({ $ref: `#/definitions/a${i + 1}` })
  const steps = Array.from({ length: 60 }, (_, i) => [`a${i}`, { allOf: [next(i), next(i)] }])
  return { definitions: { ...Object.fromEntries(steps), a60: { type: 'number' } }, $ref: '#/definitions/a0' }
}

describe('schemas of users cannot hold the server or bring it down', () => {
  test.each([
    ['one that needs itself', { allOf: [{ $ref: '#' }] }],
    ['one whose references double', doubling()],
  ])('%s ends', (_name, schema) => {
    expect(check(schema, 1)).toContain('takes too long')
  })

  test('one that calls itself asynchronous answers at once', () => {
    expect(check({ $async: true, type: 'object' }, 1)).toContain('must be object')
    expect(check({ $async: true, type: 'object' }, {})).toBeUndefined()
    expect(check({ properties: { $async: { type: 'number' } } }, { $async: 'x' })).toContain('must be number')
  })

  test('one of unreasonable size is none', () => {
    const properties = Object.fromEntries(Array.from({ length: limits.schemaValuesMax }, (_, i) => [`p${i}`, {}]))
    expect(compileJsonSchema({ properties })).toBeUndefined()
  })

  test('one that wants distinct items looks at each item once', () => {
    const many = Array.from({ length: 200_000 }, (_, i) => [i])
    expect(check({ uniqueItems: true }, many)).toBeUndefined()
    expect(check({ uniqueItems: true }, [...many, [7]])).toContain('duplicate')
  })
})

describe('what schemas mean', () => {
  test.each([
    [[1, '1', true, null, [], {}], true],
    [
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      false,
    ],
    [[1, 1.0], false],
    ['text', true],
  ])('distinct items: %j %p', (value, isDistinct) => {
    expect(check({ uniqueItems: true }, value) === undefined).toBe(isDistinct)
    expect(check({ uniqueItems: false }, value)).toBeUndefined()
  })

  test('a schema may refer to itself where the value ends', () => {
    const tree = { type: 'object', properties: { next: { $ref: '#' } }, additionalProperties: false }
    expect(check(tree, { next: { next: {} } })).toBeUndefined()
    expect(check(tree, { next: { other: 1 } })).toContain('value/next')
  })

  test('constants stay as they are, also where they look like a schema', () => {
    const constant = { $ref: '#/definitions/a', $async: true }
    expect(check({ const: constant }, constant)).toBeUndefined()
    expect(check({ enum: [constant] }, constant)).toBeUndefined()
    expect(check({ properties: { $ref: { type: 'string' } } }, { $ref: 1 })).toContain('must be string')
    expect(
      check(
        { properties: { enum: { $ref: '#/definitions/n' } }, definitions: { n: { type: 'number' } } },
        { enum: 'x' },
      ),
    ).toContain('must be number')
  })
})
