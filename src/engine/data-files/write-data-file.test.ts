import { expect, test } from 'bun:test'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { MiB } from '../../lib/bytes.ts'
import { DomainError } from '../../lib/errors.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import type { Table } from '../../lib/table.ts'
import { duckTypes } from '../../runtime/duck/column-types.ts'
import { Database } from '../../runtime/duck/database.ts'
import { Writer } from '../../runtime/duck/writer.ts'
import { TableLayout } from '../layout.ts'
import { callsTable } from '../tables/calls-table.ts'
import { objectsTable } from '../tables/objects-table.ts'
import { newFileName } from './file-names.ts'
import { writeDataFile } from './write-data-file.ts'
import { indexRows } from './write-index-file.ts'

/** A writer, and the folder of a table that it may write into. */
async function withWriter(table: Table, run: (writer: Writer, layout: TableLayout) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'write-data-file-'))
  const database = await Database.open({ memoryBytesMax: 256 * MiB, temporaryFolder: folder })
  const writer = new Writer(await database.connect())
  try {
    const layout = new TableLayout(folder, table.name)
    await mkdir(path.dirname(layout.index(newFileName())), { recursive: true })
    await run(writer, layout)
  } finally {
    writer.close()
    database.close()
    await rm(folder, { recursive: true })
  }
}

/** Creates a table `written`. Cells are SQL over `i`; those that are not given are null. */
const createRows = (writer: Writer, table: Table, rows: number, cells: Readonly<Record<string, string>>) =>
  writer.execute(
    `CREATE TABLE written AS SELECT ${table.columns
      .map(({ name, type }) => `${cells[name] ?? `NULL::${String(duckTypes[type])}`} AS "${name}"`)
      .join(', ')} FROM range(${rows}) r(i)`,
  )

test('a file that lacks rows of its source is an error, and is removed', () =>
  withWriter(objectsTable, async (writer, layout) => {
    await createRows(writer, objectsTable, 4, { project_id: "'p'", id: "'row ' || i" })
    await writer.execute('CREATE SEQUENCE reads')
    const write = async (source: string) =>
      await writeDataFile(
        { writer, table: objectsTable, layout, source, nowMs: 0 },
        await indexRows(writer, objectsTable, 'written t'),
      )
    // Only the first statement that reads this source finds rows.
    const vanishing = "written t WHERE nextval('reads') <= 4"
    await expect(write(vanishing)).rejects.toThrow('it has 0 rows instead of 4')
    expect((await readdir(layout.folder)).filter((name) => name.includes('.parquet'))).toEqual([])
    expect((await write('written t'))?.rows).toBe(4)
  }))

/** Calls with a path that gets a column, in several slices, while the result is held. */
async function createSlices(writer: Writer): Promise<Disposable> {
  const { sortedBytesMax } = storageLimits
  Object.assign(storageLimits, { sortedBytesMax: MiB })
  await createRows(writer, callsTable, 5_000, {
    project_id: "'p'",
    id: "'call ' || i",
    started_at: 'make_timestamptz(i)',
    op_name: "'op'",
    inputs: `'{"model":"m","text":"' || repeat('x', 2000) || '"}'`,
  })
  return { [Symbol.dispose]: () => void Object.assign(storageLimits, { sortedBytesMax }) }
}

test('a file that is given up while it is written is not begun again without path columns', () =>
  withWriter(callsTable, async (writer, layout) => {
    using _ = await createSlices(writer)
    let pauses = 0
    const pause = async () => {
      pauses++
      throw new Error('given up')
    }
    const writing = writeDataFile({ writer, table: callsTable, layout, source: 'written t', nowMs: 0, pause })
    await expect(writing).rejects.toThrow('given up')
    expect(pauses).toBe(1)
    expect((await readdir(layout.folder)).filter((name) => name.includes('.parquet'))).toEqual([])
  }))

test('a file is written without path columns if there is too little memory for them', () =>
  withWriter(callsTable, async (writer, layout) => {
    using _ = await createSlices(writer)
    const { executeLong } = writer
    const write = () => writeDataFile({ writer, table: callsTable, layout, source: 'written t', nowMs: 0 })
    expect([...((await write())?.pathColumns.keys() ?? [])]).toEqual(['inputs/model'])
    Object.assign(writer, {
      executeLong: async (sql: string) => {
        if (sql.includes('json_extract')) throw new DomainError('StoreUnavailable', 'Out of memory; try again later')
        await executeLong.call(writer, sql)
      },
    })
    const file = await write()
    expect([file?.rows, file?.pathColumns.size]).toEqual([5_000, 0])
  }))
