import { expect, test } from 'bun:test'
import { cpSync, existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findLastingFaults } from './lasting-faults.ts'
import { closedNote, noteRow, openNote, removal } from './notes-table.ts'
import { StoreBench } from './store-bench.ts'
import { idsOf, visibleRows } from './visible-rows.ts'

/** What may have reached the disk when the process dies during a flush, oldest step first. */
const cutPoints = [
  'nothing',
  'the next log file',
  'the index of the new files',
  'the new files',
  'the commit',
  'the removal of the log',
] as const

/**
 * Adds the files of `later` in one part of the folder to `bench`; nothing of `bench` is replaced or
 * removed.
 */
function addFrom(later: StoreBench, bench: StoreBench, part: '_wal' | '_filters' | '_delta_log' | '.parquet'): void {
  if (part !== '.parquet') {
    cpSync(join(later.tableFolder, part), join(bench.tableFolder, part), { recursive: true, force: false })
    return
  }
  for (const name of readdirSync(later.tableFolder).filter((entry) => entry.endsWith(part)))
    if (!existsSync(join(bench.tableFolder, name))) {
      cpSync(join(later.tableFolder, name), join(bench.tableFolder, name))
      // The marker exists before the file has its name, until the commit.
      writeFileSync(join(bench.tableFolder, '_unfinished', name), '')
    }
}

for (const point of cutPoints) {
  test(`a crash during a flush after ${point} loses and duplicates nothing`, async () => {
    await using bench = await StoreBench.open()
    const { store } = bench
    await store.write('notes', [closedNote('kept'), closedNote('changed'), closedNote('removed')])
    await store.flush()
    await store.write('notes', [closedNote('new'), openNote('open'), noteRow({ id: 'end-first', closed: 5 })])
    await store.write('notes', [noteRow({ id: 'changed', votes: 7 }), removal('removed')])
    const expected = await visibleRows(store)
    expect(idsOf(expected)).toEqual(['changed', 'kept', 'new', 'open'])

    await using crashed = await StoreBench.closedCopyOf(bench)
    await store.flush()
    const reached = cutPoints.indexOf(point)
    if (reached >= 1) addFrom(bench, crashed, '_wal')
    if (reached >= 2) addFrom(bench, crashed, '_filters')
    if (reached >= 3) addFrom(bench, crashed, '.parquet')
    if (reached >= 4) addFrom(bench, crashed, '_delta_log')
    const source = reached >= 5 ? bench : crashed

    await using after = await StoreBench.afterCrashOf(source)
    expect(await visibleRows(after.store)).toEqual(expected)
    expect(await findLastingFaults(after.tableFolder, ['project', 'id'])).toEqual([])
    await after.store.write('notes', [noteRow({ id: 'end-first', title: 'comes', opened: 1 }), closedNote('removed')])
    await after.reopen()
    const rows = await visibleRows(after.store)
    expect(idsOf(rows)).toEqual(['changed', 'end-first', 'kept', 'new', 'open'])
    expect(rows[1]).toMatchObject({ closed: 5 })
    expect(await findLastingFaults(after.tableFolder, ['project', 'id'])).toEqual([])
  })
}

test('half-written data files of a crash are removed at the next start', async () => {
  await using bench = await StoreBench.open()
  await bench.store.write('notes', [closedNote('kept')])
  await bench.store.flush()
  const before = readdirSync(bench.tableFolder).sort()
  const fileName = before.find((name) => name.endsWith('.parquet'))!
  for (const prefix of ['_', 'tmp__']) writeFileSync(join(bench.tableFolder, `${prefix}${fileName}.tmp`), 'PAR1')
  writeFileSync(join(bench.tableFolder, 'of-another-program.tmp'), '')
  await bench.reopen()
  expect(readdirSync(bench.tableFolder).sort()).toEqual([...before, 'of-another-program.tmp'].sort())
})
