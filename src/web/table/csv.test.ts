import { expect, test } from 'bun:test'
import { parseCsv } from './rows/use-row-facts.ts'

test('reads quotes, commas and line ends inside cells', () => {
  expect(parseCsv('id,a\r\n1,"x ""y"", z"\r\n2,"two\nlines"\r\n3,\r\n')).toEqual([
    ['id', 'a'],
    ['1', 'x "y", z'],
    ['2', 'two\nlines'],
    ['3', ''],
  ])
  expect(parseCsv('')).toEqual([])
})
