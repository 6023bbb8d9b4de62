import { expect, test } from 'bun:test'
import { diffRows } from './diff-view.tsx'
import { prettyJson } from './pretty-json.ts'

test('JSON gets a member a line and stays to the letter', () => {
  expect(prettyJson('{"a":1.0,"b":[9007199254740993,{}],"c":"x{,\\"y"}')).toBe(
    '{\n  "a": 1.0,\n  "b": [\n    9007199254740993,\n    {}\n  ],\n  "c": "x{,\\"y"\n}',
  )
  expect(prettyJson('{"a":[1,"cut of')).toBe('{\n  "a": [\n    1,\n    "cut of')
})

test('changed words are marked, equal stretches left out', () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`)
  const after = lines.with(10, 'line ten')
  const rows = diffRows(lines.join('\n'), after.join('\n'))!
  expect(rows.map(({ type }) => type)).toEqual([
    'gap',
    'equal',
    'equal',
    'equal',
    'removed',
    'added',
    'equal',
    'equal',
    'equal',
    'gap',
  ])
  expect(rows[0]).toEqual({ type: 'gap', count: 7 })
  expect(rows[4]).toEqual({
    type: 'removed',
    left: 11,
    pieces: [
      { text: 'line ', isMarked: false },
      { text: '10', isMarked: true },
    ],
  })
  expect(diffRows('a', 'a')).toEqual([{ type: 'equal', left: 1, right: 1, pieces: [{ text: 'a', isMarked: false }] }])
})

test('lines with little in common are not marked', () => {
  const rows = diffRows('alpha beta gamma', 'one two three four')!
  expect(rows.flatMap((row) => ('pieces' in row ? row.pieces : [])).some(({ isMarked }) => isMarked)).toBe(false)
})
