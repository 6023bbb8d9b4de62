import { expect, test } from 'bun:test'
import { text, time } from './columns.ts'
import { type DescribedTable, defineTable } from './define-table.ts'
import { orderReferrersFirst, referrersFirst, tables } from './tables.ts'

test('a table precedes all tables that it refers to', () => {
  const position = new Map(referrersFirst.map((table, index) => [table, index]))
  expect(referrersFirst).toHaveLength(tables.length)
  for (const table of tables) {
    for (const referred of table.refersTo) expect(position.get(referred)!).toBeGreaterThan(position.get(table)!)
  }
})

test('cyclic references between tables are rejected', () => {
  const refersTo: DescribedTable[] = []
  const one = tableNamed('one', refersTo)
  const two = tableNamed('two', [one])
  refersTo.push(two)
  expect(() => orderReferrersFirst([one, two])).toThrow('Order the tables: one, two refer to each other in a cycle')
})

test('a reference to a table outside the list is rejected', () => {
  const outside = tableNamed('outside', [])
  const refused = () => orderReferrersFirst([tableNamed('one', [outside])])
  expect(refused).toThrow('Order the tables: one refers to outside, which is not in the list')
})

test('column names are unique per table, including the tombstone column', () => {
  for (const { columns } of tables) expect(new Set(columns.map(({ name }) => name)).size).toBe(columns.length)
})

const tableNamed = (name: string, refersTo: readonly DescribedTable[]) =>
  defineTable({
    name,
    description: '',
    columns: { id: text(''), created_at: time('') },
    id: 'id',
    order: ['id'],
    presence: 'id',
    refersTo,
  })
