import { expect, test } from 'bun:test'
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { backUp } from '../../src/engine/backup/backup.ts'
import { allowDeletionVectors, inlineVector, vectorInFile } from './deletion-vectors.ts'
import { ForeignWriter } from './foreign-writer.ts'
import { findLastingFaults } from './lasting-faults.ts'
import { closedNote, noteRow, notesTable, removal } from './notes-table.ts'
import { StoreBench, warnLevel } from './store-bench.ts'
import { tableFaults } from './table-faults.ts'
import { until } from './until.ts'
import { idsOf, visibleRows } from './visible-rows.ts'

const key = ['project', 'id'] as const

async function withFiles(...groups: string[][]): Promise<{ bench: StoreBench; other: ForeignWriter }> {
  const bench = await StoreBench.open()
  for (const ids of groups) {
    await bench.store.write(
      'notes',
      ids.map((id) => closedNote(id)),
    )
    await bench.store.flush()
  }
  return { bench, other: new ForeignWriter(bench.tableFolder) }
}

const shown = async ({ store }: StoreBench): Promise<string[]> => idsOf(await visibleRows(store))

/** Waits until the store notices commits of others, which it polls every second. */
async function shows(bench: StoreBench, ids: readonly string[]): Promise<void> {
  await until(async () => JSON.stringify(await shown(bench)) === JSON.stringify(ids))
  expect(await shown(bench)).toEqual([...ids])
}

test('rows deleted by a foreign commit stay deleted after a flush', async () => {
  const { bench, other } = await withFiles(['a', 'b'], ['c'])
  await using _ = bench
  await bench.store.write('notes', [closedNote('d'), noteRow({ id: 'c', votes: 7 })])
  await other.delete("id = 'b'")
  await bench.store.flush()
  expect(await shown(bench)).toEqual(['a', 'c', 'd'])
  expect(await findLastingFaults(bench.tableFolder, key)).toEqual([])
})

test('a flush does not duplicate rows of files merged by a foreign commit', async () => {
  const { bench, other } = await withFiles(['a', 'b'], ['c'])
  await using _ = bench
  await bench.store.write('notes', [noteRow({ id: 'a', votes: 7 }), removal('c'), closedNote('d')])
  expect(await shown(bench)).toEqual(['a', 'b', 'd'])
  await other.optimize()
  other.vacuum()
  await bench.store.flush()
  const rows = await visibleRows(bench.store)
  expect(idsOf(rows)).toEqual(['a', 'b', 'd'])
  expect(rows[0]).toMatchObject({ votes: 7, title: 'title of a' })
  expect(await findLastingFaults(bench.tableFolder, key)).toEqual([])
})

test('foreign appends, merges and vacuums become visible within about a second', async () => {
  const { bench, other } = await withFiles(['a'], ['b'])
  await using _ = bench
  other.commit(
    await other.write("SELECT 'p' AS project, 'x' AS id, 'by hand' AS title, now() AS opened, now() AS closed"),
  )
  await shows(bench, ['a', 'b', 'x'])
  await other.optimize()
  other.vacuum()
  await shows(bench, ['a', 'b', 'x'])
  await bench.store.write('notes', [noteRow({ id: 'x', votes: 3 })])
  await bench.reopen()
  const rows = await visibleRows(bench.store)
  expect(idsOf(rows)).toEqual(['a', 'b', 'x'])
  expect(rows[2]).toMatchObject({ title: 'by hand', votes: 3 })
})

test('a row in the memtable masks a foreign row with the same key', async () => {
  const { bench, other } = await withFiles(['a'])
  await using _ = bench
  await bench.store.write('notes', [closedNote('x')])
  expect(await shown(bench)).toEqual(['a', 'x'])
  const foreign = await other.write("SELECT 'p' AS project, 'x' AS id, 'by hand' AS title, now() AS opened")
  other.commit(foreign, await other.write("SELECT 'p' AS project, 'y' AS id, 'seen' AS title, now() AS opened"))
  await shows(bench, ['a', 'x', 'y'])
  await bench.store.flush()
  const rows = await visibleRows(bench.store)
  expect(rows.map(({ id, title }) => [id, title])).toEqual([
    ['a', 'title of a'],
    ['x', 'title of x'],
    ['y', 'seen'],
  ])
})

test('foreign files are read whatever their column order, time types and statistics', async () => {
  const { bench, other } = await withFiles(['a'])
  await using _ = bench
  const naive =
    "SELECT 5::INTEGER AS votes, TIMESTAMP '2024-05-01 10:00:00' AS opened, 'naive' AS title, 'n' AS id, 'p' AS project"
  const cut = { numRecords: 1, minValues: { id: 'm' }, maxValues: { id: 'm' }, nullCount: { id: 0 } }
  await bench.close()
  other.commit(
    await other.write(naive),
    await other.write(naive.replace("'n' AS id", "'mmm' AS id"), { stats: JSON.stringify(cut) }),
  )
  await bench.reopen()
  const rows = await visibleRows(bench.store)
  expect(rows.map(({ id, votes, opened }) => [id, votes, opened])).toEqual([
    ['a', undefined, rows[0]!['opened']!],
    ['mmm', 5, Date.UTC(2024, 4, 1, 10) * 1000],
    ['n', 5, Date.UTC(2024, 4, 1, 10) * 1000],
  ])
  await bench.store.write('notes', [noteRow({ id: 'mmm', votes: 6 }), removal('n')])
  await bench.store.flush()
  expect(await shown(bench)).toEqual(['a', 'mmm'])
  await bench.store.compact()
  expect(await shown(bench)).toEqual(['a', 'mmm'])
})

/**
 * A table with deletion vectors, and a commit that deletes the first row of its only file. The file
 * is removed and added, in either order.
 */
async function withVector(order: 'add first' | 'remove first', place: 'in the log' | 'in a file' = 'in the log') {
  const { bench, other } = await withFiles(['a', 'b', 'c'])
  await bench.close()
  allowDeletionVectors(other)
  const [[path, add]] = [...other.adds] as [[string, Record<string, unknown>]]
  const deletionVector = place === 'in the log' ? inlineVector([0]) : vectorInFile(bench.tableFolder, [0])
  const adding = { add: { ...add, stats: JSON.stringify({ numRecords: 3 }), deletionVector } }
  const removing = other.remove(path)
  other.commit(...(order === 'add first' ? [adding, removing] : [removing, adding]))
  return { bench, other, path }
}

test('a backup includes foreign files and deletion vectors', async () => {
  const { bench, other } = await withVector('add first', 'in a file')
  await using _ = bench
  const to = `${bench.folder}-backup`
  const clock = { nowMs: () => bench.nowMs }
  const options = { tableNames: ['notes'], rootFiles: [], mayLink: true, memoryBytesMax: 256e6, clock }
  try {
    await backUp({ ...options, dataFolder: bench.folder, to, onProgress: () => {} })
    expect(readdirSync(join(to, 'tables', 'notes')).filter((name) => name.endsWith('.bin'))).toHaveLength(1)
    rmSync(bench.folder, { recursive: true })
    renameSync(to, bench.folder)
    await bench.reopen()
    expect(await shown(bench)).toEqual(['b', 'c'])
    expect(other.adds.size).toBe(1)
  } finally {
    rmSync(to, { recursive: true, force: true })
  }
})

for (const order of ['add first', 'remove first'] as const) {
  test(`the remaining rows of a file with a deletion vector are kept, ${order}`, async () => {
    const { bench, path } = await withVector(order)
    await using _ = bench
    await bench.reopen()
    expect(await shown(bench)).toEqual(['b', 'c'])
    expect(existsSync(join(bench.tableFolder, path))).toBe(true)
    await bench.store.write('notes', [noteRow({ id: 'b', votes: 9 }), closedNote('d')])
    expect(await shown(bench)).toEqual(['b', 'c', 'd'])
    await bench.store.flush()
    expect(await shown(bench)).toEqual(['b', 'c', 'd'])
    await bench.reopen()
    expect(await shown(bench)).toEqual(['b', 'c', 'd'])
  })
}

test('a file with a deletion vector is rewritten in the background', async () => {
  const { bench, other } = await withVector('add first')
  await using _ = bench
  await bench.reopen()
  await until(() => [...other.adds.values()].every((add) => !('deletionVector' in add)))
  const [add] = [...other.adds.values()]
  expect([other.adds.size, add!['deletionVector']]).toEqual([1, undefined])
  expect(await shown(bench)).toEqual(['b', 'c'])
})

test('a row without a project is no obstacle once another engine has deleted it', async () => {
  const { bench, other } = await withFiles(['a'])
  await using _ = bench
  await bench.close()
  bench.options.isMaintained = false
  allowDeletionVectors(other)
  const sql = "SELECT unnest([NULL, 'p']) AS project, 'x' AS id, 'by hand' AS title, now() AS opened, now() AS closed"
  const { add } = await other.write(sql)
  other.commit({ add: { ...add, deletionVector: inlineVector([0]) } })
  await bench.reopen()
  expect(await shown(bench)).toEqual(['a', 'x'])
  expect(await tableFaults(bench.folder, notesTable)).toEqual([])
})

test('a table with unsupported features is rejected and left unchanged', async () => {
  const { bench, other } = await withFiles(['a'])
  await using _ = bench
  await bench.close()
  const { metaData } = other.description
  const { protocol } = {
    protocol: {
      minReaderVersion: 3,
      minWriterVersion: 7,
      readerFeatures: ['typeWidening'],
      writerFeatures: ['typeWidening'],
    },
  }
  other.commit({ protocol }, { metaData })
  writeFileSync(join(bench.tableFolder, 'theirs.parquet'), 'not yet committed')
  const before = readdirSync(bench.tableFolder, { recursive: true }).map(String).sort()
  await expect(bench.reopen()).rejects.toThrow(/table notes.*Delta Lake features.*typeWidening/)
  expect(readdirSync(bench.tableFolder, { recursive: true }).map(String).sort()).toEqual(before)
})

test('an unsupported writer feature allows reads and rejects writes', async () => {
  const { bench, other } = await withFiles(['a'])
  await using _ = bench
  const { metaData } = other.description
  const protocol = { minReaderVersion: 1, minWriterVersion: 7, writerFeatures: ['rowTracking', 'domainMetadata'] }
  other.commit({ protocol }, { metaData })
  await until(() => !bench.store.state().ok)
  expect(bench.store.state()).toMatchObject({ reason: expect.stringContaining('rowTracking') })
  await expect(bench.store.write('notes', [closedNote('b')])).rejects.toMatchObject({ type: 'StoreUnavailable' })
  expect(await shown(bench)).toEqual(['a'])
  await bench.close()
  const before = readdirSync(bench.tableFolder, { recursive: true }).map(String).sort()
  await bench.reopen()
  expect(await shown(bench)).toEqual(['a'])
  await bench.close()
  expect(readdirSync(bench.tableFolder, { recursive: true }).map(String).sort()).toEqual(before)
})

test('a column added by a foreign commit pauses writes to the table instead of being lost', async () => {
  const { bench, other } = await withFiles(['a'])
  await using _ = bench
  const { metaData } = other.description
  const schema = JSON.parse(metaData['schemaString'] as string) as { fields: unknown[] }
  schema.fields.push({ name: 'mood', type: 'string', nullable: true, metadata: {} })
  other.commit({ metaData: { ...metaData, schemaString: JSON.stringify(schema) } })
  await until(() => !bench.store.state().ok)
  expect(bench.store.state()).toMatchObject({ reason: expect.stringContaining('mood') })
  expect(await shown(bench)).toEqual(['a'])
  await bench.close()
  await expect(bench.reopen()).rejects.toThrow('the column mood')
})

test('an unknown uncommitted Parquet file is left alone', async () => {
  const { bench, other } = await withFiles(['a'])
  await using _ = bench
  await bench.close()
  const { add } = await other.write("SELECT 'p' AS project, 'x' AS id, 'theirs' AS title")
  await bench.reopen()
  expect(existsSync(join(bench.tableFolder, add!['path'] as string))).toBe(true)
  expect(await shown(bench)).toEqual(['a'])
})

test('a damaged or lost last commit is rejected, and its data file is kept', async () => {
  const { bench, other } = await withFiles(['a'], ['b'])
  await using _ = bench
  await bench.close()
  const last = join(other.log, `${String(other.version).padStart(20, '0')}.json`)
  const paths = [...other.adds.keys()]
  const whole = readFileSync(last)
  writeFileSync(last, whole.subarray(0, whole.length - 20))
  await expect(bench.reopen()).rejects.toThrow(last)
  writeFileSync(last, '')
  await expect(bench.reopen()).rejects.toThrow(last)
  renameSync(last, `${last}.aside`)
  await expect(bench.reopen()).rejects.toThrow(paths.at(-1)!)
  for (const path of paths) expect(existsSync(join(bench.tableFolder, path))).toBe(true)
  renameSync(`${last}.aside`, last)
  writeFileSync(last, whole)
  await bench.reopen()
  expect(await shown(bench)).toEqual(['a', 'b'])
})

test('an uncommitted data file is deleted, with a log line, only if it is marked as unfinished', async () => {
  const { bench, other } = await withFiles(['a'])
  await using _ = bench
  await bench.store.write('notes', [closedNote('b')])
  await using crashed = await StoreBench.closedCopyOf(bench)
  const [path] = [...other.adds.keys()] as [string]
  const unfinished = 'part-01a20374-73f9-75e6-a079-633e2dde6e5c.parquet'
  const unknown = 'part-01a20374-73f9-75e6-a079-633e2dde6e5d.parquet'
  for (const name of [unfinished, unknown]) cpSync(join(bench.tableFolder, path), join(crashed.tableFolder, name))
  writeFileSync(join(crashed.tableFolder, '_unfinished', unfinished), '')
  await crashed.reopen()
  expect(existsSync(join(crashed.tableFolder, unfinished))).toBe(false)
  expect(existsSync(join(crashed.tableFolder, unknown))).toBe(true)
  const lines = crashed.entries(warnLevel).map((entry) => JSON.stringify(entry))
  expect(lines.filter((line) => line.includes(unfinished))).toHaveLength(1)
  expect(lines.filter((line) => line.includes(unknown))).toHaveLength(1)
  rmSync(join(crashed.tableFolder, unknown))
})
