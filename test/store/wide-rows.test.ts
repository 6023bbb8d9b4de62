import { expect, test } from 'bun:test'
import { storageLimits } from '../../src/lib/limits/storage.ts'
import { parquetFiles, queryDuckDb, readDeltaTable } from './folder-state.ts'
import { ForeignWriter } from './foreign-writer.ts'
import { findLastingFaults } from './lasting-faults.ts'
import { closedNote, noteRow, notesTable, removal, startMs } from './notes-table.ts'
import { StoreBench } from './store-bench.ts'
import { visibleRows } from './visible-rows.ts'

const key = ['project', 'id'] as const
const testMsMax = 120_000

/**
 * Notes whose number `i` is opened `i * 7` steps on, modulo their count, so that they arrive out of
 * order.
 */
const notes = (count: number, widthOf: (place: number) => number) =>
  Array.from({ length: count }, (_, i) => {
    const place = (i * 7) % count
    const text = `${place} `.repeat(Math.ceil(widthOf(place) / `${place} `.length))
    return closedNote(`id-${String(place).padStart(6, '0')}`, {
      opened: startMs * 1000 + place,
      body: JSON.stringify({ place, text }),
    })
  })

async function groupsOf(folder: string) {
  const { files } = await readDeltaTable(folder)
  const rows = await queryDuckDb(
    `SELECT row_group_id::INTEGER AS id, any_value(row_group_num_rows)::INTEGER AS rows, sum(total_uncompressed_size)::DOUBLE / 1e6 AS mb
     FROM parquet_metadata([${files.map(({ path }) => `'${folder}/${path}'`).join(', ')}]) GROUP BY file_name, row_group_id ORDER BY 1`,
  )
  const [order] = await queryDuckDb(
    `SELECT count(*)::INTEGER AS wrong FROM (
       SELECT opened, lag(opened) OVER (ORDER BY file_row_number) AS before
       FROM ${parquetFiles(folder, files).replace(/\)$/, ', file_row_number = true)')}
     ) WHERE before > opened`,
  )
  return { files: files.length, groups: rows as { rows: number; mb: number }[], outOfOrder: order!['wrong'] }
}

test(
  'wide rows are in small row groups, in order, also among narrow rows and after compaction',
  async () => {
    await using bench = await StoreBench.open()
    const { store } = bench
    const rows = notes(6001, (place) => (place >= 2500 && place < 3500 ? 60_000 : 50))
    for (let from = 0; from < rows.length; from += 500) await store.write('notes', rows.slice(from, from + 500))
    await store.flush()
    const before = await visibleRows(store)
    expect(before).toHaveLength(6001)
    const { groups, outOfOrder } = await groupsOf(bench.tableFolder)
    expect(outOfOrder).toBe(0)
    expect(groups.reduce((sum, group) => sum + group.rows, 0)).toBe(6001)
    expect(Math.max(...groups.map(({ mb }) => mb))).toBeLessThan(20)
    expect(groups.length).toBeLessThan(20)
    expect(await findLastingFaults(bench.tableFolder, key)).toEqual([])

    await store.write('notes', [closedNote('late', { body: '{}', opened: startMs * 1000 + 3000 })])
    await store.flush()
    await store.compact()
    const after = await groupsOf(bench.tableFolder)
    expect(after).toMatchObject({ outOfOrder: 0 })
    expect(Math.max(...after.groups.map(({ mb }) => mb))).toBeLessThan(20)
    expect((await visibleRows(store)).filter(({ id }) => id !== 'late')).toEqual(before)
  },
  testMsMax,
)

test('narrow rows are in row groups of thousands', async () => {
  await using bench = await StoreBench.open()
  await bench.store.write(
    'notes',
    notes(6001, () => 200),
  )
  await bench.store.flush()
  const { groups, outOfOrder } = await groupsOf(bench.tableFolder)
  expect(outOfOrder).toBe(0)
  expect(groups.length).toBeLessThanOrEqual(3)
})

test('long lists are in small row groups if the table says so', async () => {
  const tags = (place: number) => Array.from({ length: 2_000 }, (_, tag) => `tag ${tag} of note ${place}`)
  const rows = () =>
    Array.from({ length: 200 }, (_, place) =>
      closedNote(`id-${place}`, { opened: startMs * 1000 + place, body: '{}', tags: tags(place) }),
    )
  for (const [rowGroupBytes, fewest, most] of [
    [undefined, 1, 1],
    [1_000_000, 8, 20],
  ] as const) {
    await using bench = await StoreBench.open([{ ...notesTable, ...(rowGroupBytes && { rowGroupBytes }) }])
    await bench.store.write('notes', rows())
    await bench.store.flush()
    const { groups, outOfOrder } = await groupsOf(bench.tableFolder)
    expect(outOfOrder).toBe(0)
    expect(groups.reduce((sum, group) => sum + group.rows, 0)).toBe(200)
    expect(groups.length).toBeGreaterThanOrEqual(fewest)
    expect(groups.length).toBeLessThanOrEqual(most)
  }
})

test(
  'a large file of another engine is rewritten as several files in order, and none of its rows is lost',
  async () => {
    await using bench = await StoreBench.open()
    const { store } = bench
    const rows = notes(26_000, (place) => 5_000 + (place & 1023))
    for (let from = 0; from < rows.length; from += 5000) {
      await store.write('notes', rows.slice(from, from + 5000))
      await store.flush()
    }
    const other = new ForeignWriter(bench.tableFolder)
    await other.optimize({ rowGroupRows: 4096 })
    other.vacuum()
    expect((await readDeltaTable(bench.tableFolder)).files).toHaveLength(1)
    await store.write('notes', [removal('id-000007'), noteRow({ id: 'id-020000', votes: 7 })])
    await store.flush()
    const { files } = await readDeltaTable(bench.tableFolder)
    expect(files.length).toBeGreaterThanOrEqual(3)
    const ranges = await Promise.all(
      files.map(async ({ path }) => {
        const [range] = await queryDuckDb(
          `SELECT epoch_us(min(opened))::DOUBLE AS first, epoch_us(max(opened))::DOUBLE AS last, sum(strlen(body))::DOUBLE AS bytes
           FROM '${bench.tableFolder}/${path}' WHERE votes IS DISTINCT FROM 7`,
        )
        return range as { first: number; last: number; bytes: number | null }
      }),
    )
    const rewritten = ranges.filter(({ bytes }) => bytes !== null)
    expect(rewritten).toHaveLength(files.length - 1)
    for (const { bytes } of rewritten) expect(bytes).toBeLessThan(1.2 * storageLimits.rewriteBytesMax)
    const sorted = rewritten.map(({ first, last }) => [first, last] as const).sort((a, b) => a[0] - b[0])
    sorted.slice(1).forEach(([first], index) => {
      expect(first).toBeGreaterThan(sorted[index]![1])
    })
    expect(await findLastingFaults(bench.tableFolder, key)).toEqual([])
    const ids = (await visibleRows(store)).map(({ id }) => id as string).sort()
    expect(ids).toEqual(
      Array.from({ length: 26_000 }, (_, i) => `id-${String(i).padStart(6, '0')}`).filter((id) => id !== 'id-000007'),
    )
  },
  testMsMax,
)
