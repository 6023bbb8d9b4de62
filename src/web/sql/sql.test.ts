import { expect, test } from 'bun:test'
import { completionsAt } from './completion.ts'
import { linesOfTokens, tokensOf } from './tokens.ts'

const tables = [
  {
    name: 'calls',
    description: '',
    columns: [
      { name: 'id', type: 'VARCHAR', description: '' },
      { name: 'cost', type: 'DOUBLE', description: '' },
    ],
  },
  { name: 'usage', description: '', columns: [{ name: 'model', type: 'VARCHAR', description: '' }] },
]
const words = (statement: string, isAsked = false) =>
  completionsAt(statement, statement.length, tables, isAsked).map(({ text }) => text)

test('columns of the named tables come first, tables after FROM', () => {
  expect(words('select co')[0]).toBe('cost')
  expect(words('select * from us')).toEqual(['usage'])
  expect(words('select c.', false)).toEqual(['id', 'cost'])
  expect(words('select u.mo from usage u'.slice(0, 11))).not.toContain('model')
  expect(completionsAt('select mo from usage', 9, tables, false).map(({ text }) => text)[0]).toBe('model')
})

test('nothing is completed in texts and comments, or before somebody asks', () => {
  expect(words("select 'co")).toEqual([])
  expect(words('select 1 -- co')).toEqual([])
  expect(words('select c')).toEqual([])
  expect(words('select ', true).slice(0, 2)).toEqual(['id', 'cost'])
})

test('pieces of a statement add up to it', () => {
  const statement = 'select \'a -- b\', "From", 1.5 /* x\ny */ from calls where sum(a) > 2 -- end'
  expect(
    tokensOf(statement)
      .map(({ text }) => text)
      .join(''),
  ).toBe(statement)
  expect(linesOfTokens(statement).map((line) => line.map(({ text }) => text).join(''))).toEqual(statement.split('\n'))
  expect(tokensOf('select sum(x)').map(({ kind }) => kind)).toEqual(['keyword', 'plain', 'name', 'plain'])
})
