import { describe, expect, test } from 'bun:test'
import { answerOfDigit, givenOf, missingIn } from './answers.ts'
import { type FieldKind, kindOfSchema, schemaOf } from './fields.ts'

const field = (ref: string, of: FieldKind) => ({ ref, name: ref, description: '', of })
const options = ['one', 'two', 'three']

describe('fields of a form', () => {
  const kinds: FieldKind[] = [
    { kind: 'boolean' },
    { kind: 'choice', options },
    { kind: 'several', options },
    { kind: 'scale', low: 1, high: 5 },
    { kind: 'number' },
    { kind: 'text' },
  ]
  test.each(kinds)('%j is read from the schema that it makes', (of) => {
    expect(kindOfSchema(schemaOf(of))).toEqual(of)
  })

  test('of a long scale is a number, of anything else a text', () => {
    expect(kindOfSchema({ type: 'integer', minimum: 0, maximum: 100 })).toEqual({ kind: 'number' })
    expect([{}, null, [], { type: 'object' }, { enum: [1, 2] }].map((each) => kindOfSchema(each).kind)).toEqual(
      Array.from({ length: 5 }, () => 'text'),
    )
  })
})

describe('answers', () => {
  const fields = [
    field('yes', { kind: 'boolean' }),
    field('some', { kind: 'several', options }),
    field('why', { kind: 'text' }),
  ]

  test('are missing where something has to be chosen', () => {
    expect(missingIn(fields, {}).map(({ ref }) => ref)).toEqual(['yes'])
    expect(missingIn(fields, { yes: false })).toEqual([])
  })

  test('are sent in the order of the form, without empty texts', () => {
    expect(givenOf(fields, { why: '', yes: false })).toEqual([
      { annotation_ref: 'yes', value: false },
      { annotation_ref: 'some', value: [] },
    ])
  })

  test('of digits are the options with those numbers', () => {
    const choice = field('choice', { kind: 'choice', options })
    expect([1, 3, 4].map((digit) => answerOfDigit(choice, digit, undefined))).toEqual(['one', 'three', undefined])
    const several = field('several', { kind: 'several', options })
    expect(answerOfDigit(several, 1, ['two', 'one'])).toEqual(['two'])
    expect(answerOfDigit(several, 3, ['two'])).toEqual(['two', 'three'])
    const scale = field('scale', { kind: 'scale', low: 0, high: 2 })
    expect([1, 3, 4].map((digit) => answerOfDigit(scale, digit, undefined))).toEqual([0, 2, undefined])
  })
})
