import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BloomFilter } from '../../src/engine/keys/bloom-filter.ts'
import { KeyFile } from '../../src/engine/keys/key-file.ts'
import { storageLimits } from '../../src/lib/limits/storage.ts'
import { readDeltaTable } from './folder-state.ts'
import { HeldSnapshot } from './held-snapshot.ts'
import { indexFiles, placeOf, replaceSection } from './index-files.ts'
import { findLastingFaults } from './lasting-faults.ts'
import { closedNote, noteRow, removal } from './notes-table.ts'
import { StoreBench, warnLevel } from './store-bench.ts'
import { until } from './until.ts'
import { visibleRows } from './visible-rows.ts'

const { ungroupedFilesMax } = storageLimits
beforeAll(() => void Object.assign(storageLimits, { ungroupedFilesMax: 5 }))
afterAll(() => void Object.assign(storageLimits, { ungroupedFilesMax }))

const groupFiles = ({ tableFolder }: StoreBench): string[] =>
  readdirSync(join(tableFolder, '_filters'))
    .filter((name) => name.endsWith('.group'))
    .map((name) => join(tableFolder, '_filters', name))

/** As many files as stay uncompacted, all in one group; closed. */
async function groupedFiles(): Promise<StoreBench> {
  const bench = await StoreBench.open()
  for (let file = 0; file < 5; file++) {
    const notes = Array.from({ length: 40 }, (_, at) =>
      closedNote(`id-${at}-${file}`, { author: `a-${at % 7}-${file}` }),
    )
    await bench.store.write('notes', notes)
    await bench.store.flush()
  }
  await until(() => groupFiles(bench).length === 1)
  await bench.close()
  return bench
}

/** How many data files a read with this value looks into. */
async function filesReadFor({ store }: StoreBench, column: string, value: string): Promise<number> {
  await using held = await HeldSnapshot.ofLookup(store)
  return held.snapshot
    .relation('notes', { [column]: [value] })
    .branches.reduce((sum, { source }) => sum + (source.kind === 'files' ? source.paths.length : 0), 0)
}

/** Bloom filters that deny every value: an answer that depends on one is wrong. */
async function letFiltersDeny(bench: StoreBench): Promise<void> {
  for (const path of indexFiles(bench)) await replaceSection(path, 'bloom', BloomFilter.withCapacity(100).toBytes())
}

test('the filters of files in a group are not needed, and not read at a start', async () => {
  await using bench = await groupedFiles()
  await letFiltersDeny(bench)
  await bench.reopen()
  for (const file of [0, 2, 4]) {
    expect(await filesReadFor(bench, 'id', `id-7-${file}`)).toBe(1)
    expect(await filesReadFor(bench, 'author', `a-3-${file}`)).toBe(1)
  }
  expect(await filesReadFor(bench, 'id', 'absent')).toBe(0)
  expect(await filesReadFor(bench, 'author', 'id-7-0')).toBe(0)
  await bench.store.write('notes', [noteRow({ id: 'id-7-2', votes: 3 }), closedNote('new')])
  const rows = await visibleRows(bench.store)
  expect(rows).toHaveLength(201)
  expect(rows.find(({ id }) => id === 'id-7-2')).toMatchObject({ votes: 3, author: 'a-0-2' })
  await bench.store.flush()
  expect(await findLastingFaults(bench.tableFolder, ['project', 'id'])).toEqual([])
  expect(bench.entries(warnLevel)).toEqual([])
}, 60_000)

const damages = {
  removed: (path: string) => rmSync(path),
  'damaged in its header': (path: string) => change(path, 50),
  'damaged in its directory': (path: string) => change(path, 4096),
  'damaged in its entries': (path: string) => change(path, 8192 + 40),
} as const

function change(path: string, at: number): void {
  const bytes = readFileSync(path)
  bytes[at]! ^= 0x20
  writeFileSync(path, bytes)
}

for (const [how, damage] of Object.entries(damages))
  test(`a group that is ${how} hides and duplicates nothing, and is written again`, async () => {
    await using bench = await groupedFiles()
    const [path] = groupFiles(bench) as [string]
    damage(path)
    await bench.reopen()
    expect(await filesReadFor(bench, 'id', 'id-7-2')).toBeGreaterThan(0)
    await bench.store.write('notes', [noteRow({ id: 'id-9-1', votes: 5 }), closedNote('new')])
    expect(await visibleRows(bench.store)).toHaveLength(201)
    await until(() => groupFiles(bench).length === 1 && groupFiles(bench)[0] !== path)
    expect(await filesReadFor(bench, 'author', 'a-3-4')).toBe(1)
    await bench.store.flush()
    expect(await findLastingFaults(bench.tableFolder, ['project', 'id'])).toEqual([])
  }, 60_000)

test('files of a folder without lists of hashes get them, and are grouped then', async () => {
  await using bench = await groupedFiles()
  rmSync(groupFiles(bench)[0]!)
  for (const path of indexFiles(bench)) await replaceSection(path, 'hashes')
  await bench.reopen()
  expect(await filesReadFor(bench, 'author', 'a-3-4')).toBe(1)
  expect(await visibleRows(bench.store)).toHaveLength(200)
  await until(() => groupFiles(bench).length === 1)
  expect(await filesReadFor(bench, 'author', 'a-3-4')).toBe(1)
  expect(await filesReadFor(bench, 'author', 'a-9-4')).toBe(0)
}, 60_000)

test('a damaged file whose index lacks a section is found, and keeps no other from getting its own', async () => {
  await using bench = await StoreBench.open()
  for (let file = 0; file < 3; file++) {
    const body = () => JSON.stringify(crypto.getRandomValues(Buffer.alloc(1000)).toString('hex'))
    await bench.store.write(
      'notes',
      Array.from({ length: 40 }, (_, at) => closedNote(`id-${at}-${file}`, { body: body() })),
    )
    await bench.store.flush()
  }
  await bench.close()
  const indexes = indexFiles(bench)
  for (const path of indexes) await replaceSection(path, 'hashes')
  const [first] = (await readDeltaTable(bench.tableFolder)).files
  const parquet = join(bench.tableFolder, first!.path)
  const bytes = readFileSync(parquet)
  writeFileSync(
    parquet,
    bytes.map((byte, at) => (at >= 4 && at < bytes.length / 2 ? byte ^ 0x55 : byte)),
  )
  await bench.reopen()
  const complete = async () => {
    const places = await Promise.all(indexes.map((path) => placeOf(path, 'hashes')))
    return places.filter((place) => place !== undefined).length
  }
  await until(async () => (await complete()) === 2)
  await until(() => (bench.store.state() as { damagedFiles?: number }).damagedFiles === 1)
}, 60_000)

test('files that are replaced while they are grouped stay until their group is written', async () => {
  await using bench = await StoreBench.open()
  const { hashesBetween } = KeyFile.prototype
  using _ = { [Symbol.dispose]: () => void Object.assign(KeyFile.prototype, { hashesBetween }) }
  let isReplaced = false
  KeyFile.prototype.hashesBetween = async function (...range) {
    if (!isReplaced) {
      isReplaced = true
      await bench.store.write('notes', [removal('id-3-1', bench.nowMs * 1000)])
      await bench.store.flushAll()
      await bench.removeReplaced({ isHeld: true })
    }
    return await hashesBetween.apply(this, range)
  }
  for (let file = 0; file < 5; file++) {
    await bench.store.write(
      'notes',
      Array.from({ length: 40 }, (_, at) => closedNote(`id-${at}-${file}`)),
    )
    await bench.store.flush()
  }
  await until(() => groupFiles(bench).length === 1)
  expect(isReplaced).toBe(true)
  expect(bench.entries(warnLevel)).toEqual([])
  expect(await filesReadFor(bench, 'id', 'id-3-2')).toBe(1)
  expect(await visibleRows(bench.store)).toHaveLength(199)
}, 60_000)
