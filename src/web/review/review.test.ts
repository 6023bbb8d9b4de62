import { describe, expect, test } from 'bun:test'
import { answerOfDigit, answersOf, fieldsFor, givenOf, missingIn } from './answers.ts'
import { type FieldKind, kindOfSchema, schemaOf } from './fields.ts'
import { editedOutput } from './kinds/edited-output.ts'
import { markedPieces, textLeaves } from './kinds/marked-texts.ts'
import { orderFor, withoutNames } from './kinds/preference.ts'
import { passageOf, spansOf, withSpan } from './kinds/spans.ts'

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
    { kind: 'correction' },
    { kind: 'spans', options },
    { kind: 'preference' },
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

describe('corrections', () => {
  const fields = [field('better', { kind: 'correction' })]

  test('have the type of the output', () => {
    expect(editedOutput('"It was \\"sent\\"."')).toEqual({ text: 'It was "sent".', isJson: false })
    const edited = editedOutput('{"sent":true}')
    expect(edited).toEqual({ text: '{\n  "sent": true\n}', isJson: true })
    expect(givenOf(fields, { better: edited })).toEqual([{ annotation_ref: 'better', value: { sent: true } }])
    expect(answersOf(fields, new Map([['better', 'Sent.']]))).toEqual({ better: { text: 'Sent.', isJson: false } })
  })

  test('that are no JSON are not stored, and need not be given', () => {
    expect(missingIn(fields, { better: { text: '{', isJson: true } })).toHaveLength(1)
    expect(missingIn(fields, { better: { text: '{', isJson: false } })).toEqual([])
    expect(givenOf(fields, {})).toEqual([])
  })

  test('and spans are about one call, preferences about two', () => {
    const all = [...fields, field('marks', { kind: 'spans', options }), field('best', { kind: 'preference' })]
    expect(fieldsFor(all, true).map(({ ref }) => ref)).toEqual(['best'])
    expect(fieldsFor(all, false).map(({ ref }) => ref)).toEqual(['better', 'marks'])
  })
})

describe('spans', () => {
  const text = 'a 😀 bc'

  test('have their places in code points, and whole characters', () => {
    expect(passageOf('output', text, 2, 6)).toEqual({ path: 'output', start: 2, end: 5, text: '😀 b' })
    expect(passageOf('output', text, 6, 3)).toEqual({ path: 'output', start: 2, end: 5, text: '😀 b' })
    expect(passageOf('output', text, 2, 2)).toBeUndefined()
  })

  test('split a text where they begin and end', () => {
    const span = (start: number, end: number, label: string) => ({ path: 'output', start, end, text: '', label })
    expect(markedPieces(text, [span(2, 5, 'x'), span(4, 9, 'y')])).toEqual([
      { text: 'a ', labels: [] },
      { text: '😀 ', labels: ['x'] },
      { text: 'b', labels: ['x', 'y'] },
      { text: 'c', labels: ['y'] },
    ])
  })

  test('given twice are taken back', () => {
    const span = { path: 'output', start: 0, end: 1, text: 'a', label: 'x' }
    expect(withSpan([], span)).toEqual([span])
    expect(withSpan([span], { ...span })).toEqual([])
    expect(spansOf([span, { path: 'output' }, null])).toEqual([span])
  })

  test('are offered in the texts of a value, with the speakers of messages', () => {
    const value = { messages: [{ role: 'user', content: 'Hi' }], 'a.b': { type: 'text', text: 'x' }, empty: '', n: 1 }
    expect(textLeaves('inputs', value)).toEqual([
      { path: 'inputs.messages.0.content', text: 'Hi', role: 'user' },
      { path: 'inputs.a\\.b.text', text: 'x', role: undefined },
    ])
  })
})

describe('two answers', () => {
  test('are in an order that stays for a person and an item, and is as often the one as the other', () => {
    const people = Array.from({ length: 1_000 }, (_, index) => orderFor(['a', 'b'], 'item', `person-${index}`))
    expect(orderFor(['a', 'b'], 'item', 'person-7')).toEqual(people[7] ?? ['', ''])
    const swapped = people.filter(([first]) => first === 'b').length
    expect(swapped).toBeGreaterThan(450)
    expect(swapped).toBeLessThan(550)
  })

  test('do not say which model gave them', () => {
    expect(withoutNames('{"id":"x","model":"m","choices":[{"text":"y","model":"m"}]}')).toBe(
      '{"choices":[{"text":"y"}]}',
    )
    expect(withoutNames('"text"')).toBe('"text"')
  })
})
