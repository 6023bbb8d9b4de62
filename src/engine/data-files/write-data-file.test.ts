import { expect, test } from 'bun:test'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { MiB } from '../../lib/bytes.ts'
import { duckTypes } from '../../runtime/duck/column-types.ts'
import { Database } from '../../runtime/duck/database.ts'
import { Writer } from '../../runtime/duck/writer.ts'
import { TableLayout } from '../layout.ts'
import { objectsTable } from '../tables/objects-table.ts'
import { newFileName } from './file-names.ts'
import { writeDataFile } from './write-data-file.ts'
import { indexRows } from './write-index-file.ts'

test('a file that lacks rows of its source is an error, and is removed', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'write-data-file-'))
  const database = await Database.open({ memoryBytesMax: 256 * MiB, temporaryFolder: folder })
  const writer = new Writer(await database.connect())
  try {
    const cells: Readonly<Record<string, string>> = { project_id: "'p'", id: "'row ' || i" }
    const columns = objectsTable.columns.map(
      ({ name, type }) => `${cells[name] ?? `NULL::${String(duckTypes[type])}`} AS "${name}"`,
    )
    await writer.execute(`CREATE TABLE written AS SELECT ${columns.join(', ')} FROM range(4) r(i)`)
    await writer.execute('CREATE SEQUENCE reads')
    const layout = new TableLayout(folder, objectsTable.name)
    await mkdir(path.dirname(layout.index(newFileName())), { recursive: true })
    const write = async (source: string) =>
      await writeDataFile({
        writer,
        table: objectsTable,
        layout,
        source,
        fileName: newFileName(),
        values: await indexRows(writer, objectsTable, 'written t'),
        nowMs: 0,
      })
    // Only the first statement that reads this source finds rows.
    const vanishing = "written t WHERE nextval('reads') <= 4"
    await expect(write(vanishing)).rejects.toThrow('it has 0 rows instead of 4')
    expect((await readdir(layout.folder)).filter((name) => name.includes('.parquet'))).toEqual([])
    expect((await write('written t'))?.rows).toBe(4)
  } finally {
    writer.close()
    database.close()
    await rm(folder, { recursive: true })
  }
})
