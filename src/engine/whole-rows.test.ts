import { afterAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import type { Cell, Table } from '../lib/table.ts'
import { Parameters } from '../query/sql/parameters.ts'
import { tableRowsSql } from '../query/sql/table-rows.ts'
import { systemClock } from '../runtime/platform/clock.ts'
import { Store } from './store.ts'

const describe = (name: string): Table => ({
  name,
  columns: [
    { name: 'project_id', type: 'text', description: '', storedIn: 'everywhere' },
    { name: 'id', type: 'text', description: '', storedIn: 'everywhere' },
    { name: 'kind', type: 'text', description: '', storedIn: 'everywhere' },
    { name: 'note', type: 'text', description: '', storedIn: 'everywhere' },
    { name: 'amount', type: 'number', description: '', storedIn: 'everywhere' },
    { name: 'written_at', type: 'time', description: '', storedIn: 'everywhere' },
    { name: 'deleted_at', type: 'time', description: '', storedIn: 'wal' },
  ],
  key: ['project_id', 'id'],
  merge: 'row',
  order: ['project_id', 'id'],
  bounded: ['project_id', 'id'],
  filtered: ['id'],
  updatedAtColumn: 'written_at',
  tombstoneColumn: 'deleted_at',
  presenceColumn: 'kind',
  completionColumn: 'written_at',
  derive: () => {},
})

const tables = [describe('one'), describe('two')]
const folder = await mkdtemp(join(tmpdir(), 'whole-rows-'))
afterAll(() => rm(folder, { recursive: true }))

const open = () =>
  Store.open({
    dataFolder: folder,
    tables,
    memoryBytesMax: 256e6,
    clock: systemClock,
    log: pino({ level: 'silent' }),
  })

const now = () => systemClock.nowMs() * 1000
const row = (id: string, note: string | null, amount: number): Cell[] => ['p', id, 'k', note, amount, now(), null]
const tombstone = (id: string): Cell[] => ['p', id, null, null, null, now(), now()]

async function rowsOf(store: Store, name: string): Promise<Cell[][]> {
  return await store.read(['one', 'two'], { projectId: 'p' }, async (snapshot) => {
    const parameters = new Parameters()
    const text = tableRowsSql(
      { relation: snapshot.relation(name), projectId: 'p' },
      ['t.id', 't.note', 't.amount'],
      [],
      parameters,
    )
    return await snapshot.rows({ text: `SELECT * FROM (${text}) ORDER BY id`, values: parameters.values })
  })
}

test('in a table of whole rows the last one wins, nulls included, and a deleted row can return', async () => {
  let store = await open()
  await store.write('one', [row('a', 'first', 0.1), row('b', 'first', -2.5e-9), row('c', 'first', 3)])
  await store.write('two', [row('a', 'other table', 7)])
  await store.write('one', [row('a', null, 1e300), tombstone('b')])
  const expected = [
    ['a', null, 1e300],
    ['c', 'first', 3],
  ]
  expect(await rowsOf(store, 'one')).toEqual(expected)

  await store.flush()
  expect(await rowsOf(store, 'one')).toEqual(expected)
  expect(await rowsOf(store, 'two')).toEqual([['a', 'other table', 7]])

  // A deletion and its replacement in one write, and rows that return after being deleted before
  // and after the flush.
  await store.write('one', [tombstone('a'), row('d', 'instead of a', 4)])
  expect(await rowsOf(store, 'one')).toEqual([
    ['c', 'first', 3],
    ['d', 'instead of a', 4],
  ])
  await store.write('one', [row('a', 'back', 5), row('b', 'back', 6)])
  const last = [
    ['a', 'back', 5],
    ['b', 'back', 6],
    ['c', 'first', 3],
    ['d', 'instead of a', 4],
  ]
  expect(await rowsOf(store, 'one')).toEqual(last)
  await store.close()

  store = await open()
  expect(await rowsOf(store, 'one')).toEqual(last)
  await store.write('one', [tombstone('a')])
  await Promise.all([store.write('one', [row('a', 'again', 8)]), store.flush()])
  expect((await rowsOf(store, 'one'))[0]).toEqual(['a', 'again', 8])
  await store.close()
})
