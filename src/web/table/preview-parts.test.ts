import { expect, test } from 'bun:test'
import { directionOf, previewParts } from './preview-parts.ts'

const shown = (text: string) => previewParts(text).map(({ name, value }) => (name === '' ? value : `${name}=${value}`))

test('shows members by name, and any other text as it is', () => {
  expect(shown('Hi there')).toEqual(['Hi there'])
  expect(shown('{"question":"My \\"phone\\"\\nnumber","n":12.50,"ok":true}')).toEqual([
    'question=My "phone" number',
    'n=12.50',
    'ok=true',
  ])
  expect(shown('{"reward":1,"last":{"role":"user","content":"Thank y')).toEqual([
    'reward=1',
    'role=user',
    'content=Thank y',
  ])
  expect(shown('{"a":"gr\\u00f6\\u00')).toEqual(['a=grö'])
  expect(shown('{}')).toEqual(['{}'])
  expect(shown('[{"a":1}]')).toEqual(['[{"a":1}]'])
})

test.each([
  ['What is new?', 'ltr'],
  ['מה חדש? What is new?', 'rtl'],
  ['12:30 – ما الجديد؟', 'rtl'],
  ['“שלום”', 'rtl'],
  ['2026', 'ltr'],
  ['', 'ltr'],
] as const)('%p runs %s', (text, direction) => {
  expect(directionOf(text)).toBe(direction)
})
