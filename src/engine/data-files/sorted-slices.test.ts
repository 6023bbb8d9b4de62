import { expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { MiB } from '../../lib/bytes.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import { duckTypes } from '../../runtime/duck/column-types.ts'
import { Database } from '../../runtime/duck/database.ts'
import { Writer } from '../../runtime/duck/writer.ts'
import { TableLayout } from '../layout.ts'
import { objectsTable } from '../tables/objects-table.ts'
import { sliceRowGroups, sortedSlices } from './sorted-slices.ts'
import { writeSlices } from './write-slices.ts'

const { sortedBytesMax } = storageLimits
const rowsOf = (slices: readonly { rows: number }[]) => slices.map(({ rows }) => rows)

test('few bytes are one slice', () => {
  const planned = { rows: 100_000, bytes: sortedBytesMax, groups: { kind: 'uniform', rows: 4096 } } as const
  expect(sliceRowGroups(planned)).toEqual([{ rows: 100_000, groups: planned.groups }])
})

test('slices end with row groups, and have all rows', () => {
  const slices = sliceRowGroups({ rows: 100_000, bytes: 100 * MiB, groups: { kind: 'uniform', rows: 4096 } })
  expect(rowsOf(slices)).toEqual([12_288, 12_288, 12_288, 12_288, 12_288, 12_288, 12_288, 12_288, 1696])
})

test('a row group is never divided', () => {
  const slices = sliceRowGroups({ rows: 5000, bytes: 400 * MiB, groups: { kind: 'uniform', rows: 2048 } })
  expect(rowsOf(slices)).toEqual([2048, 2048, 904])
})

test('row groups of unequal lengths stay as they are', () => {
  const lengths = [100, 200, 300, 400, 500, 600, 700]
  const slices = sliceRowGroups({ rows: 2800, bytes: 3.5 * sortedBytesMax, groups: { kind: 'variable', lengths } })
  expect(slices).toEqual([
    { rows: 300, groups: { kind: 'variable', lengths: [100, 200] } },
    { rows: 700, groups: { kind: 'variable', lengths: [300, 400] } },
    { rows: 1100, groups: { kind: 'variable', lengths: [500, 600] } },
    { rows: 700, groups: { kind: 'variable', lengths: [700] } },
  ])
})

/** Values of what the rows are sorted by; objects and ops of one name have the same. */
const versions: Readonly<Record<string, readonly (number | null)[]>> = {
  'at the borders of slices': [0, 1, 1, 2, 3, 3, 4, 5, 5, 6],
  'in several slices': [0, 1, 1, 1, 1, 1, 1, 1, 1, 2],
  everywhere: [7, 7, 7, 7, 7, 7, 7, 7, 7, 7],
  'that are null': [0, 1, 2, 3, 4, null, null, null, null, null],
}

for (const [where, sorted] of Object.entries(versions))
  for (const kind of ['uniform', 'variable'] as const)
    test(`slices have all rows, with equal ones ${where} and ${kind} row groups`, async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'sorted-slices-'))
      const database = await Database.open({ memoryBytesMax: 256 * MiB, temporaryFolder: folder })
      const writer = new Writer(await database.connect())
      try {
        const values = sorted.map((version, index) => `(${index}, ${version ?? 'NULL'})`)
        const cells: Readonly<Record<string, string>> = { id: "'row ' || i", version_index: 'v::BIGINT' }
        const columns = objectsTable.columns.map(
          ({ name, type }) => `${cells[name] ?? `NULL::${String(duckTypes[type])}`} AS "${name}"`,
        )
        await writer.execute(`CREATE TABLE written AS SELECT ${columns.join(', ')} FROM (VALUES ${values}) r(i, v)`)
        const groups = kind === 'uniform' ? { kind, rows: 2 } : { kind, lengths: [2, 2, 2, 2, 2] }
        const planned = { rows: sorted.length, bytes: 5 * storageLimits.sortedBytesMax, groups }
        const slices = await sortedSlices(writer, objectsTable, 'written t', planned)
        const file = path.join(folder, 'file.parquet')
        const layout = new TableLayout(folder, objectsTable.name)
        await Bun.write(layout.parquet('some'), '')
        await writeSlices({ writer, table: objectsTable, layout }, slices, undefined, file)
        const rows = await writer.rows(`SELECT version_index, id FROM read_parquet('${file}', file_row_number = true)`)
        expect(rows.map(([version]) => version)).toEqual([...sorted])
        expect(rows.map(([, id]) => id).sort()).toEqual(sorted.map((_, index) => `row ${index}`))
      } finally {
        writer.close()
        database.close()
        await rm(folder, { recursive: true })
      }
    })
