import { expect, test } from 'bun:test'
import { type Cell, columnIndex, type Row, type Table } from '../../lib/table.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import { rowKey } from '../row-key.ts'
import { callsTable } from '../tables/calls-table.ts'
import { idempotencyTable } from '../tables/idempotency-table.ts'
import { BatchCodec } from '../wal/batch-codec.ts'
import { materialize } from './materialize.ts'
import { Memtable } from './memtable.ts'
import type { OlderLayers } from './stored-rows.ts'

/** Older layers without a sealed memtable, and without damage. */
const onlyFiles = {
  sealed: undefined,
  findInDamagedFiles: async () => [],
}

const row = () =>
  idempotencyTable.row({
    project_id: 'p',
    id: 'a',
    target_project_id: null,
    fingerprint: 'f',
    status: null,
    answer: null,
    created_at: 1,
  })

for (const fails of [false, true])
  test(`rows count while they move into DuckDB, which ${fails ? 'fails' : 'succeeds'}`, async () => {
    const memtable = new Memtable(idempotencyTable, 1)
    memtable.applyUnaccounted([row()], 0)
    const counts: number[] = []
    const writer = {
      transaction: async () => {
        counts.push(memtable.rows)
        if (fails) throw new Error('out of memory')
      },
    } as unknown as Writer
    const older = {
      ...onlyFiles,
      findInFiles: async () => {
        counts.push(memtable.rows)
        return { dataFiles: [], matchingKeys: [] }
      },
    } as unknown as OlderLayers
    await materialize({ memtable: writer, older: writer }, idempotencyTable, memtable, older, 'all').catch(() => {})
    expect([...counts, memtable.rows]).toEqual([1, 1, 1])
  })

test('the memory of a batch is freed when its rows are in DuckDB, and not if that fails', async () => {
  const codec = new BatchCodec(idempotencyTable)
  const derived = { derived: codec.encodeDerived([[]]), derivedRows: new Uint8Array(1), hashes: new Uint32Array() }
  const { rows } = codec.encoded({ ...codec.encodeTwice([row()]), ...derived })
  const memtable = new Memtable(idempotencyTable, 1)
  memtable.applyUnaccounted(rows, 0)
  let fails = true
  const writer = {
    transaction: async () => {
      if (fails) throw new Error('out of memory')
    },
  } as unknown as Writer
  const older = { ...onlyFiles, findInFiles: async () => ({ dataFiles: [], matchingKeys: [] }) }
  const move = () =>
    materialize({ memtable: writer, older: writer }, idempotencyTable, memtable, older as unknown as OlderLayers, 'all')
  await expect(move()).rejects.toThrow('out of memory')
  expect(rows[0]?.toRow()).toEqual(row())
  fails = false
  expect(await move()).toBe(1)
  expect(() => rows[0]?.toRow()).toThrow('all rows have ended')
})

const cells: Readonly<Record<string, Cell>> = { project_id: 'p', id: 'a', op_name: 'f', started_at: 1, written_at: 2 }
const call = (): Row => callsTable.columns.map(({ name }) => cells[name] ?? null)

function wholeCall(): Row {
  const row = call()
  row[columnIndex(callsTable, callsTable.wholeColumn ?? '')] = 1
  return row
}

/** Moves a part of a row that a file contains, and returns the statements that read that file. */
async function movedOver(table: Table, part: Row) {
  const memtable = new Memtable(table, 1)
  memtable.applyUnaccounted([part], 0)
  const read: string[] = []
  const appended: string[] = []
  const writer = {
    transaction: (task: () => Promise<void>) => task(),
    append: async (name: string, _columns: unknown, rows: readonly unknown[]) => {
      if (rows.length > 0) appended.push(name)
    },
    appendBatchRows: async () => {},
    columns: async function* (text: string) {
      read.push(text)
      if (!text.includes('op_name')) yield [['p'], ['a']]
    },
  } as unknown as Writer
  const older = {
    ...onlyFiles,
    findInFiles: async () => ({ dataFiles: [{}], matchingKeys: [rowKey('p', 'a')] }),
    filesSource: () => 'files',
    knownRows: { forget: () => {}, isNewFor: () => true },
  } as unknown as OlderLayers
  await materialize({ memtable: writer, older: writer }, table, memtable, older, 'all')
  return { read, appended, masked: [...memtable.masked] }
}

for (const [kind, table, part] of [
  ['a whole row of a table of parts', callsTable, wholeCall()],
  ['a row of a table of whole rows', idempotencyTable, row()],
] as const)
  test(`of the earlier version of ${kind} only the key is read, and it is hidden`, async () => {
    const { read, appended, masked } = await movedOver(table, part)
    expect(read).toHaveLength(1)
    expect(read[0]).toStartWith('SELECT t."project_id", t."id" FROM files t')
    expect(appended).toEqual([`memtable_${table.name}_1`, `mask_${table.name}_1`])
    expect(masked).toEqual([rowKey('p', 'a')])
  })

for (const [mode, left] of [
  ['all', 0],
  ['lessons stay', 1],
] as const)
  test(`draining ${mode}: ${left} lesson of a row that is not among the parts is left`, async () => {
    const memtable = new Memtable(callsTable, 1)
    memtable.applyUnaccounted([call()], 0)
    for (const id of ['a', 'b'])
      memtable.teach(rowKey('p', id), { project: 'p', id, tree: 't', touched: 1, facts: [null, 1] }, 0)
    const writer = {
      transaction: (task: () => Promise<void>) => task(),
      append: async () => {},
      appendBatchRows: async () => {},
    } as unknown as Writer
    const older = {
      ...onlyFiles,
      findInFiles: async () => ({ dataFiles: [], matchingKeys: [] }),
      knownRows: { forget: () => {}, isNewFor: () => true, set: () => {} },
    } as unknown as OlderLayers
    await materialize({ memtable: writer, older: writer }, callsTable, memtable, older, mode)
    expect(memtable.lessons.size).toBe(left)
    expect(memtable.keys.has(rowKey('p', 'a'))).toBe(true)
  })

test('a part of a row is laid over the earlier version', async () => {
  const { read } = await movedOver(callsTable, call())
  expect(read[0]).toContain('op_name')
})
