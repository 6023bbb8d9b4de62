import { expect, test } from 'bun:test'
import { storageLimits } from '../../src/lib/limits/storage.ts'
import { queryDuckDb, readDeltaTable } from './folder-state.ts'
import { findLastingFaults } from './lasting-faults.ts'
import { closedNote, startMs } from './notes-table.ts'
import { StoreBench } from './store-bench.ts'
import { visibleRows } from './visible-rows.ts'

const count = 10_000
const perTime = 3000

/** Notes of two projects, many of them at the same time, in no order. */
const notes = () =>
  Array.from({ length: count }, (_, index) => {
    const place = (index * 7) % count
    return closedNote(`id-${String(place).padStart(6, '0')}`, {
      project: place % 3 === 0 ? 'other/notes' : 'some/notes',
      opened: startMs * 1000 + Math.floor(place / perTime),
      body: JSON.stringify({ place, text: 'word '.repeat(20) }),
    })
  })

test('rows that are sorted in slices become one file, in order, with all of them', async () => {
  const { sortedBytesMax } = storageLimits
  Object.assign(storageLimits, { sortedBytesMax: 100_000 })
  try {
    await using bench = await StoreBench.open()
    const { store, tableFolder } = bench
    await store.write('notes', notes())
    const before = await visibleRows(store)
    await store.flush()
    expect(await visibleRows(store)).toEqual(before)

    const { files } = await readDeltaTable(tableFolder)
    expect(files).toHaveLength(1)
    const file = `'${tableFolder}/${files[0]?.path}'`
    const groups = await queryDuckDb(`SELECT DISTINCT row_group_id FROM parquet_metadata(${file})`)
    expect(groups.length).toBeGreaterThan(1)
    const inOrder = `SELECT id FROM read_parquet(${file}, file_row_number = true) ORDER BY`
    const written = await queryDuckDb(`${inOrder} file_row_number`)
    expect(written).toHaveLength(count)
    expect(written).toEqual(await queryDuckDb(`${inOrder} project, opened, id`))
    expect(await findLastingFaults(tableFolder, ['project', 'id'])).toEqual([])
  } finally {
    Object.assign(storageLimits, { sortedBytesMax })
  }
})
