import { expect, test } from 'bun:test'
import type { Cell } from '../../lib/table.ts'
import { encodeSeparatedValues } from './separated-values.ts'

async function encoded(names: string[], columns: Cell[][], delimiter: ',' | '\t' = ','): Promise<string> {
  async function* chunks() {
    if (columns.length > 0) yield columns
  }
  const pieces = await Array.fromAsync(encodeSeparatedValues(names, chunks(), delimiter))
  return new TextDecoder().decode(Buffer.concat(pieces))
}

test('a header line and one line per row, ended by CRLF', async () => {
  expect(
    await encoded(
      ['a', 'b'],
      [
        ['x', 'y'],
        [1, null],
      ],
    ),
  ).toBe('a,b\r\nx,1\r\ny,\r\n')
  expect(
    await encoded(
      ['a', 'b'],
      [
        ['x', 'y'],
        [1, null],
      ],
      '\t',
    ),
  ).toBe('a\tb\r\nx\t1\r\ny\t\r\n')
  expect(await encoded(['a', 'b'], [])).toBe('a,b\r\n')
})

test('cells with delimiters, quotes or line breaks are quoted', async () => {
  expect(await encoded(['a,b'], [['x,y', 'a"b', 'a\nb', 'a\rb', 'a\r\nb', ' x ', '']])).toBe(
    '"a,b"\r\n"x,y"\r\n"a""b"\r\n"a\nb"\r\n"a\rb"\r\n"a\r\nb"\r\n x \r\n""\r\n',
  )
  expect(await encoded(['a'], [['x\ty', 'x,y']], '\t')).toBe('a\r\n"x\ty"\r\nx,y\r\n')
})

test('cells that look like formulas are escaped, numbers are not', async () => {
  const formulas = ['=1+1', '+1+1', '-1+1', '@sum', '-', '+49']
  const numbers = ['-1', '-1.5', '-.5', '-1e9']
  const rows = (await encoded(['a'], [[...formulas, ...numbers, -5]])).trimEnd().split('\r\n').slice(1)
  expect(rows).toEqual([...formulas.map((text) => `'${text}`), ...numbers, '-5'])
  expect(await encoded(['a'], [['\t=1', '\r=1']])).toBe('a\r\n\'\t=1\r\n"\'\r=1"\r\n')
})

test('a row of one empty cell is not an empty line', async () => {
  expect(await encoded(['a'], [['x', null, '']])).toBe('a\r\nx\r\n""\r\n""\r\n')
  expect(await encoded(['a', 'b'], [[null], ['']])).toBe('a,b\r\n,\r\n')
})
