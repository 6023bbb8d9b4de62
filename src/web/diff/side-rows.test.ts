import { expect, test } from 'bun:test'
import { countRows, countWords, sideRows, wordsOf } from './side-rows.ts'

/** Rows as text: marked words in brackets. */
const shown = (before: string, after: string): string[] =>
  sideRows(before, after).map(({ kind, left, right }) => {
    const half = (line: typeof left) =>
      line === undefined ? '' : line.pieces.map(({ text, isMarked }) => (isMarked ? `[${text}]` : text)).join('')
    return kind === 'equal' ? `= ${half(right)}` : `${half(left)} | ${half(right)}`
  })

test('words that differ are marked, spaces between them too', () => {
  expect(shown('Refunds above $500 need a human agent.', 'Refunds over {{max}} USD need a human agent.')).toEqual([
    'Refunds [above $500] need a human agent. | Refunds [over {{max}} USD] need a human agent.',
  ])
})

test('a line that only one side has stands alone, without marks', () => {
  expect(shown('one two\nthree', 'one two\nquite another line\nthree')).toEqual([
    '= one two',
    ' | quite another line',
    '= three',
  ])
  expect(shown('the red fox\nold', 'new line here\nthe red dog\nold')).toEqual([
    ' | new line here',
    'the red [fox] | the red [dog]',
    '= old',
  ])
})

test('lines with little in common are not marked', () => {
  expect(shown('alpha beta gamma', 'one two three four')).toEqual(['alpha beta gamma | one two three four'])
})

test('scripts without spaces are compared by word', () => {
  expect(wordsOf('日本語を話します').length).toBeGreaterThan(2)
  expect(shown('返金は五百ドルまでです', '返金は千ドルまでです')[0]).toContain('[')
})

test.each([
  ['', '', []],
  ['', 'a', [' | a']],
  ['a', '', ['a | ']],
  ['a\n\nb', 'a\n\nb', ['= a', '= ', '= b']],
])('%j and %j', (before, after, rows) => {
  expect(shown(before, after)).toEqual(rows)
})

test('rows and words are counted', () => {
  const rows = sideRows('keep\nthe red fox jumps\ngone for good', 'keep\nthe red dog jumps')
  expect(countRows(rows)).toEqual({ changed: 1, added: 0, removed: 1 })
  expect(countWords(rows)).toEqual({ added: 1, removed: 4 })
})
