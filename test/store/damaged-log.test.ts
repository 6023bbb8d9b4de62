import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { closedNote } from './notes-table.ts'
import { errorLevel, StoreBench, warnLevel } from './store-bench.ts'
import { idsOf, visibleRows } from './visible-rows.ts'

const testMsMax = 120_000

interface LoggedBatches {
  readonly name: string
  readonly bytes: Uint8Array
  /** Where each batch ends; the first entry is the end of the header. */
  readonly ends: readonly number[]
}

const logNames = (bench: StoreBench): string[] => readdirSync(join(bench.tableFolder, '_wal'))

/** Writes one batch per list of ids and returns where each is in the log. */
async function writeBatches(bench: StoreBench, batches: readonly (readonly string[])[]): Promise<LoggedBatches> {
  const ends: number[] = []
  for (const ids of batches) {
    await bench.store.write(
      'notes',
      ids.map((id) => closedNote(id, { body: JSON.stringify({ text: `ä ${id}` }) })),
    )
    ends.push(readFileSync(join(bench.tableFolder, '_wal', logNames(bench)[0]!)).byteLength)
  }
  const name = logNames(bench)[0]!
  const bytes = new Uint8Array(readFileSync(join(bench.tableFolder, '_wal', name)))
  return { name, bytes, ends }
}

/** Opens a copy of the folder whose WAL segment contains `bytes`. */
async function withLog(bench: StoreBench, name: string, bytes: Uint8Array): Promise<StoreBench> {
  const copy = await StoreBench.closedCopyOf(bench)
  writeFileSync(join(copy.tableFolder, '_wal', name), bytes)
  return await copy.reopen()
}

test(
  'a log that ends anywhere in its last batch loses only that batch',
  async () => {
    await using bench = await StoreBench.open()
    const { name, bytes, ends } = await writeBatches(bench, [['a', 'b'], ['c']])
    await using copy = await StoreBench.closedCopyOf(bench)
    for (let end = ends[0]!; end < bytes.byteLength; end += end < ends[0]! + 64 ? 1 : 61) {
      const file = join(copy.tableFolder, '_wal', name)
      writeFileSync(file, bytes.subarray(0, end))
      await using torn = await StoreBench.afterCrashOf(copy)
      expect(idsOf(await visibleRows(torn.store))).toEqual(['a', 'b'])
      expect(readFileSync(join(torn.tableFolder, '_wal', name)).byteLength).toBe(ends[0]!)
      expect(torn.entries(warnLevel)).toHaveLength(end === ends[0] ? 0 : 1)
      await torn.store.write('notes', [closedNote('d')])
      await torn.reopen()
      expect(idsOf(await visibleRows(torn.store))).toEqual(['a', 'b', 'd'])
    }
  },
  testMsMax,
)

test('a log that ends in its header holds nothing and is removed', async () => {
  await using bench = await StoreBench.open()
  const { name, bytes } = await writeBatches(bench, [['a']])
  for (const end of [0, 1, 8, 100]) {
    await using torn = await withLog(bench, name, bytes.subarray(0, end))
    expect(await visibleRows(torn.store)).toEqual([])
    expect(logNames(torn)).toEqual([])
    await torn.store.write('notes', [closedNote('b')])
    await torn.reopen()
    expect(idsOf(await visibleRows(torn.store))).toEqual(['b'])
  }
})

test(
  'a flipped bit in the middle loses its batch, is reported, and the file is copied to quarantine',
  async () => {
    await using bench = await StoreBench.open()
    const { name, bytes, ends } = await writeBatches(bench, [['a'], ['b', 'c'], ['d']])
    // The last bytes of a batch repeat its checksum once per row, plus padding; only the first copy
    // counts.
    for (let at = ends[0]!; at < ends[1]! - 8; at += 53) {
      const flipped = bytes.slice()
      flipped[at]! ^= 0x10
      await using damaged = await withLog(bench, name, flipped)
      expect(idsOf(await visibleRows(damaged.store))).toEqual(['a', 'd'])
      expect(new Uint8Array(readFileSync(join(damaged.tableFolder, '_quarantine', name)))).toEqual(flipped)
      expect(damaged.entries(errorLevel)).toMatchObject([{ file: name, damaged: [{ from: ends[0], to: ends[1] }] }])
    }
  },
  testMsMax,
)

test('a log that ends in its only batch holds nothing', async () => {
  await using bench = await StoreBench.open()
  const { name, bytes } = await writeBatches(bench, [['a']])
  for (const end of [headerEnd(bytes), headerEnd(bytes) + 1, headerEnd(bytes) + 200, bytes.byteLength - 1]) {
    await using torn = await withLog(bench, name, bytes.subarray(0, end))
    expect(await visibleRows(torn.store)).toEqual([])
    expect(torn.entries(errorLevel)).toEqual([])
    await torn.store.write('notes', [closedNote('b')])
    await torn.reopen()
    expect(idsOf(await visibleRows(torn.store))).toEqual(['b'])
  }
})

test('a flipped bit in a complete last batch is reported, not mistaken for a torn end', async () => {
  await using bench = await StoreBench.open()
  const { name, bytes, ends } = await writeBatches(bench, [['a'], ['b']])
  const flipped = bytes.slice()
  flipped[ends[1]! - 100]! ^= 0x10
  await using damaged = await withLog(bench, name, flipped)
  expect(idsOf(await visibleRows(damaged.store))).toEqual(['a'])
  expect(damaged.entries(errorLevel)).toHaveLength(1)
  expect(new Uint8Array(readFileSync(join(damaged.tableFolder, '_quarantine', name)))).toEqual(flipped)
})

test(
  'a flipped bit in the header is reported, and no row is altered',
  async () => {
    await using bench = await StoreBench.open()
    const { name, bytes, ends } = await writeBatches(bench, [['a'], ['b']])
    const before = await visibleRows(bench.store)
    const headerBytes = headerEnd(bytes)
    expect(headerBytes).toBeLessThan(ends[0]!)
    for (let at = 0; at < headerBytes; at += 29) {
      const flipped = bytes.slice()
      flipped[at]! ^= 0x01
      await using damaged = await withLog(bench, name, flipped)
      const rows = await visibleRows(damaged.store)
      for (const row of rows) expect(before).toContainEqual(row)
      if (rows.length < before.length) {
        expect(damaged.entries(errorLevel)).toHaveLength(1)
        expect(existsSync(join(damaged.tableFolder, '_quarantine', name))).toBe(true)
      }
    }
  },
  testMsMax,
)

test('damage and a torn end in one file', async () => {
  await using bench = await StoreBench.open()
  const { name, bytes, ends } = await writeBatches(bench, [['a'], ['b'], ['c'], ['d']])
  const flipped = bytes.slice(0, ends[3]! - 20)
  flipped[ends[0]! + 40]! ^= 0xff
  await using damaged = await withLog(bench, name, flipped)
  expect(idsOf(await visibleRows(damaged.store))).toEqual(['a', 'c'])
  expect(existsSync(join(damaged.tableFolder, '_quarantine', name))).toBe(true)
  await damaged.store.write('notes', [closedNote('e')])
  await damaged.reopen()
  expect(idsOf(await visibleRows(damaged.store))).toEqual(['a', 'c', 'e'])
})

test('log segments that the Delta log marks as flushed are removed and not replayed', async () => {
  await using bench = await StoreBench.open()
  const { name, bytes } = await writeBatches(bench, [['a'], ['b']])
  await bench.store.flush()
  await using copy = await withLog(bench, name, bytes)
  expect(idsOf(await visibleRows(copy.store))).toEqual(['a', 'b'])
  expect(copy.store.size).toMatchObject({ fileRows: 2, memtableRows: 0 })
  expect(logNames(copy)).not.toContain(name)
})

test('unknown files in the log folder are left alone', async () => {
  await using bench = await StoreBench.open()
  await writeBatches(bench, [['a']])
  writeFileSync(join(bench.tableFolder, '_wal', 'notes.txt'), 'mine')
  truncateSync(join(bench.tableFolder, '_wal', 'notes.txt'), 2)
  await bench.reopen()
  expect(logNames(bench)).toContain('notes.txt')
  expect(idsOf(await visibleRows(bench.store))).toEqual(['a'])
})

/** End of the first message of an Arrow IPC stream: continuation, length, metadata. */
const headerEnd = (bytes: Uint8Array): number => 8 + new DataView(bytes.buffer, bytes.byteOffset).getInt32(4, true)
