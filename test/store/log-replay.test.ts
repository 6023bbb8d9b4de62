import { expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BatchCodec, type EncodedRows } from '../../src/engine/wal/batch-codec.ts'
import type { Row } from '../../src/lib/table.ts'
import { ForeignWriter } from './foreign-writer.ts'
import { closedNote, noteRow, notesTable, removal } from './notes-table.ts'
import { StoreBench } from './store-bench.ts'
import { idsOf, visibleRows } from './visible-rows.ts'

setDefaultTimeout(120_000)

/** A copy of the folder after a crash, whose log is replayed while the store is in use. */
async function replayingCopyOf(bench: StoreBench): Promise<StoreBench> {
  const copy = await StoreBench.closedCopyOf(bench)
  copy.options.logReplayedAtOpenBytesMax = 0
  return await copy.reopen()
}

const ids = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${String(index).padStart(5, '0')}`)

const codec = new BatchCodec(notesTable)

/** Rows as bytes, without what could have been computed of them. */
function encoded(rows: readonly Row[]): EncodedRows {
  const none = { derived: new Uint8Array(codec.encodeDerived(rows.map(() => []))), hashes: new Uint32Array() }
  return codec.encoded({ ...codec.encodeTwice(rows), ...none, derivedRows: new Uint8Array(rows.length) })
}

async function withLog(): Promise<StoreBench> {
  const bench = await StoreBench.open()
  for (let batch = 0; batch < 40; batch++)
    await bench.store.write(
      'notes',
      ids(`b${String(batch).padStart(2, '0')}-`, 500).map((id) => closedNote(id)),
    )
  return bench
}

test('writes are accepted during a replay, and readers see them with everything before', async () => {
  await using bench = await withLog()
  await using copy = await replayingCopyOf(bench)
  await copy.store.write('notes', [closedNote('new')])
  await copy.store.write('notes', [noteRow({ id: 'b00-00000', title: 'changed' })])
  const rows = await visibleRows(copy.store)
  expect(rows).toHaveLength(20_001)
  expect(rows.find(({ id }) => id === 'new')).toBeDefined()
  expect(rows.find(({ id }) => id === 'b00-00000')).toMatchObject({ title: 'changed' })
  const replayed = copy.log.findIndex(({ msg }) => msg === 'replayed WAL segment')
  const started = copy.log.findIndex(({ msg }) => msg === 'replaying the WAL in the background')
  expect(started).toBeGreaterThanOrEqual(0)
  expect(replayed).toBeGreaterThan(started)
})

test('a flush during a replay waits for it, and loses nothing', async () => {
  await using bench = await withLog()
  await using copy = await replayingCopyOf(bench)
  await copy.store.write('notes', [closedNote('new')])
  await copy.store.flush({ retainIncomplete: false })
  await using again = await StoreBench.afterCrashOf(copy)
  expect(idsOf(await visibleRows(again.store))).toHaveLength(20_001)
})

test('rows that arrive as bytes during a replay are found in the file that a flush writes', async () => {
  await using bench = await withLog()
  await using copy = await replayingCopyOf(bench)
  const arriving = ids('new-', 100)
  await copy.store.writeEncoded('notes', encoded(arriving.map((id) => closedNote(id))))
  expect(await visibleRows(copy.store)).toHaveLength(20_100)
  await copy.store.flush({ retainIncomplete: false })
  for (const id of arriving)
    expect(await copy.store.rowInFiles('notes', { projectId: 'p', id }, ['id'])).toMatchObject({ id })
})

test('a crash during a replay loses nothing, however often it happens', async () => {
  await using bench = await withLog()
  let before: StoreBench = bench
  for (const id of ['x1', 'x2', 'x3']) {
    const copy = await replayingCopyOf(before)
    await copy.store.write('notes', [closedNote(id)])
    // The next one begins with the folder as it is now.
    const after = await StoreBench.closedCopyOf(copy)
    await copy[Symbol.asyncDispose]()
    before = after
  }
  await using last = await before.reopen()
  expect(idsOf(await visibleRows(last.store)).filter((id) => id.startsWith('x'))).toEqual(['x1', 'x2', 'x3'])
  expect(idsOf(await visibleRows(last.store))).toHaveLength(20_003)
})

test('a store that closes during a replay keeps all rows', async () => {
  await using bench = await withLog()
  await using copy = await replayingCopyOf(bench)
  await copy.store.write('notes', [closedNote('new')])
  await copy.reopen()
  expect(idsOf(await visibleRows(copy.store))).toHaveLength(20_001)
})

test('a log that cannot be read refuses reads and writes, and is left as it is', async () => {
  await using bench = await withLog()
  const copy = await StoreBench.closedCopyOf(bench)
  copy.options.logReplayedAtOpenBytesMax = 0
  const folder = join(copy.tableFolder, '_wal')
  const [segment = ''] = readdirSync(folder)
  renameSync(join(folder, segment), join(copy.folder, 'aside'))
  mkdirSync(join(folder, segment))
  await copy.reopen()
  await expect(visibleRows(copy.store)).rejects.toThrow('could not be replayed')
  await expect(copy.store.write('notes', [closedNote('new')])).rejects.toThrow('could not be replayed')
  expect(copy.store.state()).toMatchObject({ ok: false })
  await copy.close()

  rmSync(join(folder, segment), { recursive: true })
  renameSync(join(copy.folder, 'aside'), join(folder, segment))
  await using again = await copy.reopen()
  expect(idsOf(await visibleRows(again.store))).toHaveLength(20_000)
})

test('a replay goes on if another engine replaces the files that it reads', async () => {
  await using bench = await StoreBench.open()
  await bench.store.write('notes', [closedNote('old')])
  await bench.store.flush()
  for (let batch = 0; batch < 40; batch++)
    await bench.store.write(
      'notes',
      ids(`b${batch}-`, 500).map((id) => closedNote(id)),
    )
  await bench.store.write('notes', [noteRow({ id: 'old', votes: 7 })])
  await using copy = await StoreBench.closedCopyOf(bench)
  copy.options.logReplayedAtOpenBytesMax = 0
  const other = new ForeignWriter(copy.tableFolder)
  const replaced = await other.replacement()
  await copy.reopen()
  other.commit(...replaced)
  other.vacuum()
  const rows = await visibleRows(copy.store)
  expect(rows).toHaveLength(20_001)
  expect(rows.find(({ id }) => id === 'old')).toMatchObject({ votes: 7, title: 'title of old' })
  expect(copy.store.state()).toEqual({ ok: true })
})

test('later parts of rows and deletions, logged far behind them, win in a replay', async () => {
  await using bench = await withLog()
  const [changed, removed] = [ids('b00-', 500), ids('b01-', 500)]
  await bench.store.write(
    'notes',
    changed.map((id) => noteRow({ id, votes: 7 })),
  )
  await bench.store.write(
    'notes',
    removed.map((id) => removal(id)),
  )
  await using copy = await replayingCopyOf(bench)
  const check = async () => {
    const rows = await visibleRows(copy.store)
    expect(rows).toHaveLength(19_500)
    expect(rows.filter(({ votes }) => votes === 7).map(({ id }) => id)).toEqual(changed)
    expect(new Set(rows.map(({ id }) => id)).size).toBe(19_500)
  }
  await check()
  await copy.store.flush({ retainIncomplete: false })
  await check()
})

test('a replay goes on if a file that it reads turns out to be damaged', async () => {
  await using bench = await StoreBench.open()
  await bench.store.write('notes', [closedNote('old')])
  await bench.store.flush()
  await bench.store.write(
    'notes',
    ids('new-', 9000).map((id) => closedNote(id)),
  )
  await bench.store.write('notes', [noteRow({ id: 'old', votes: 7 })])
  await using copy = await StoreBench.closedCopyOf(bench)
  const file = join(copy.tableFolder, readdirSync(copy.tableFolder).find((name) => name.endsWith('.parquet')) ?? '')
  // Footers are read at the start, so only columns are damaged.
  writeFileSync(file, readFileSync(file).fill(0, 4, 200))
  copy.options.logReplayedAtOpenBytesMax = 0
  await copy.reopen()
  await expect(visibleRows(copy.store)).rejects.toMatchObject({ type: 'DataDamaged' })
  await copy.store.write('notes', [closedNote('newer')])
  await copy.store.flush({ retainIncomplete: false })
  expect(copy.store.state()).toEqual({ ok: true, damagedFiles: 1 })
})
