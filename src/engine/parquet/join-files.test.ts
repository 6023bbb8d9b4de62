import { expect, test } from 'bun:test'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Database } from '../../runtime/duck/database.ts'
import { Writer } from '../../runtime/duck/writer.ts'
import { JoinedFile } from './join-files.ts'

const rowsPerGroup = 2048

/** Rows with numbers from `first` on; texts repeat, so that they get dictionaries and filters. */
const rows = (first: number, count: number) =>
  `SELECT i AS number, 'text ' || i % 97 AS text, CASE WHEN i % 5 = 0 THEN NULL ELSE i / 7 END AS share
   FROM range(${first}, ${first + count}) r(i)`

async function inFolder(task: (folder: string, writer: Writer) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'join-files-'))
  const database = await Database.open({ memoryBytesMax: 256 * 1024 * 1024, temporaryFolder: folder })
  const writer = new Writer(await database.connect())
  try {
    await task(folder, writer)
  } finally {
    writer.close()
    database.close()
    await rm(folder, { recursive: true })
  }
}

const copy = (writer: Writer, select: string, file: string) =>
  writer.execute(`COPY (${select}) TO '${file}' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${rowsPerGroup})`)

for (const groups of [3, 40])
  test(`files of ${groups} row groups in all become one with the same rows, in order`, () =>
    inFolder(async (folder, writer) => {
      const [whole, file, part] = ['whole', 'file', 'part'].map((name) => path.join(folder, `${name}.parquet`))
      if (whole === undefined || file === undefined || part === undefined) throw new Error('no names')
      const perFile = Math.ceil(groups / 3) * rowsPerGroup
      const count = groups * rowsPerGroup - 100
      await copy(writer, rows(0, count), whole)
      await copy(writer, rows(0, perFile), file)
      const joined = await JoinedFile.begin(file)
      for (let first = perFile; first < count; first += perFile) {
        await copy(writer, rows(first, Math.min(perFile, count - first)), part)
        await joined.take(part)
      }
      await joined.finish()
      expect((await readdir(folder)).sort()).toEqual(['file.parquet', 'whole.parquet'])

      const contents = (of: string) => writer.rows(`SELECT * FROM read_parquet('${of}', file_row_number = true)`)
      expect(await contents(file)).toEqual(await contents(whole))
      const filtered = (of: string) => writer.rows(`SELECT number FROM read_parquet('${of}') WHERE text = 'text 33'`)
      expect(await filtered(file)).toEqual(await filtered(whole))
      const outline = (of: string) =>
        writer.rows(
          `SELECT row_group_id, row_group_num_rows, path_in_schema, stats_min, stats_max,
             (bloom_filter_offset > 0)::INTEGER
           FROM parquet_metadata('${of}') ORDER BY ALL`,
        )
      expect(await outline(file)).toEqual(await outline(whole))
    }))

test('files whose columns differ are refused', () =>
  inFolder(async (folder, writer) => {
    const [file, part] = ['file', 'part'].map((name) => path.join(folder, `${name}.parquet`))
    if (file === undefined || part === undefined) throw new Error('no names')
    await copy(writer, 'SELECT 1 AS number', file)
    await copy(writer, `SELECT '1' AS number`, part)
    const joined = await JoinedFile.begin(file)
    await joined.take(part)
    await expect(joined.finish()).rejects.toThrow('their columns differ')
  }))

test('a file that is cut off is refused', () =>
  inFolder(async (folder, writer) => {
    const file = path.join(folder, 'file.parquet')
    await copy(writer, 'SELECT 1 AS number', file)
    await Bun.write(file, (await Bun.file(file).bytes()).subarray(0, 6))
    await expect(JoinedFile.begin(file)).rejects.toThrow('is cut off')
    await expect(JoinedFile.begin(path.join(folder, 'none.parquet'))).rejects.toThrow('is cut off')
  }))
