import { describe, expect, test } from 'bun:test'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { compileJsonSchema } from './json-schema.ts'

const check = (schema: unknown, value: unknown) => compileJsonSchema(schema)!(value)

/** Each definition refers to the next one twice: 2^60 steps for any value. */
function doubling(): object {
  const next = (i: number) => ({ $ref: `#/definitions/a${i + 1}` })
  const steps = Array.from({ length: 60 }, (_, i) => [`a${i}`, { allOf: [next(i), next(i)] }])
  return { definitions: { ...Object.fromEntries(steps), a60: { type: 'number' } }, $ref: '#/definitions/a0' }
}

describe('user schemas cannot block or crash the server', () => {
  test.each([
    ['one that requires itself', { allOf: [{ $ref: '#' }] }],
    ['one with exponentially many references', doubling()],
  ])('validating %s terminates', (_name, schema) => {
    expect(check(schema, 1)).toContain('takes too long')
  })

  test('one with $async is validated synchronously', () => {
    expect(check({ $async: true, type: 'object' }, 1)).toContain('must be object')
    expect(check({ $async: true, type: 'object' }, {})).toBeUndefined()
    expect(check({ properties: { $async: { type: 'number' } } }, { $async: 'x' })).toContain('must be number')
  })

  test('one of excessive size is rejected', () => {
    const properties = Object.fromEntries(
      Array.from({ length: operationLimits.schemaValuesMax }, (_, i) => [`p${i}`, {}]),
    )
    expect(compileJsonSchema({ properties })).toBeUndefined()
  })

  test('one with uniqueItems visits each item once', () => {
    const many = Array.from({ length: 200_000 }, (_, i) => [i])
    expect(check({ uniqueItems: true }, many)).toBeUndefined()
    expect(check({ uniqueItems: true }, [...many, [7]])).toContain('duplicate')
  })
})

describe('semantics', () => {
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
  ])('uniqueItems: %j %p', (value, isDistinct) => {
    expect(check({ uniqueItems: true }, value) === undefined).toBe(isDistinct)
    expect(check({ uniqueItems: false }, value)).toBeUndefined()
  })

  test('a schema may be recursive if the value is finite', () => {
    const tree = { type: 'object', properties: { next: { $ref: '#' } }, additionalProperties: false }
    expect(check(tree, { next: { next: {} } })).toBeUndefined()
    expect(check(tree, { next: { other: 1 } })).toContain('value/next')
  })

  test('constants that look like schemas are left unchanged', () => {
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
