import { expect, test } from 'bun:test'
import { markedLines } from './marked-lines.ts'

/** The lines of a text with what is marked in brackets. */
const marked = (text: string, other: string): string =>
  markedLines(text, other)
    .map(({ pieces }) => pieces.map((piece) => (piece.isMarked ? `[${piece.text}]` : piece.text)).join(''))
    .join('\n')

test.each([
  ['the fare is 30 dollars', 'the fare is 40 dollars', 'the fare is [30] dollars'],
  ['the fare is 30', 'the fare is not 30', 'the fare is 30'],
  ['one line\nand another', 'one line', 'one line\n[and another]'],
  ['nothing alike', 'wholly other words here', '[nothing alike]'],
  ['料金は30ドルです', '料金は40ドルです', '料金は[30]ドルです'],
  ['same', 'same', 'same'],
  ['', 'something', ''],
])('%j beside %j', (text, other, expected) => {
  expect(marked(text, other)).toBe(expected)
})
