import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { changeLimits } from '../../../test/store/change-limits.ts'
import { madeFile } from '../../../test/store/made-file.ts'
import { noteRow, notesTable } from '../../../test/store/notes-table.ts'
import { Random, seedOr } from '../../../test/store/random.ts'
import { DomainError } from '../../lib/errors.ts'
import { cellReader } from '../../lib/table.ts'
import { ObjectStoreError } from '../../runtime/objects/object-store.ts'
import type { DataFile } from '../data-files/data-file.ts'
import { DeferredFilter } from '../data-files/deferred-filter.ts'
import { FileFilter } from '../data-files/file-filter.ts'
import { FileIndexBuilder } from '../data-files/file-index-builder.ts'
import { writeIndexFile } from '../data-files/write-index-file.ts'
import { BloomFilter, hashValue, KeyHashCollector } from '../keys/bloom-filter.ts'
import { bytesOfKeys } from '../keys/key-file.ts'
import { LastUsed } from '../last-used.ts'
import { TableLayout } from '../layout.ts'
import { rowKey } from '../row-key.ts'
import { type FilterInMemory, localFiles, type StoredFiles } from '../stored-files.ts'
import { BlockCache, blockBytes } from './block-cache.ts'
import { KeyIndex } from './key-index.ts'

const folder = mkdtempSync(join(tmpdir(), 'tracelake-index-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A data file that exists only as its index. Without a group, everything may be in it. */
async function fileOf(layout: TableLayout, fileName: string, ids: readonly string[]): Promise<DataFile> {
  const hashes = new KeyHashCollector()
  const bloom = BloomFilter.withCapacity(ids.length)
  for (const id of ids) {
    const hash = hashValue('id', 'p', id)
    hashes.add(hash)
    bloom.add(hash)
  }
  await writeIndexFile(layout, fileName, [
    { name: 'bloom', version: 2, content: bloom.toBytes() },
    { name: 'keys', version: 2, content: bytesOfKeys(hashes.sorted()) },
    { name: 'hashes', version: 2, content: new Uint8Array(0) },
  ])
  return madeFile({ fileName, rows: ids.length })
}

async function layoutWith(name: string): Promise<TableLayout> {
  const layout = new TableLayout(join(folder, name), notesTable.name)
  mkdirSync(layout.filters, { recursive: true })
  return layout
}

async function regrouped(index: KeyIndex, dataFiles: readonly DataFile[]): Promise<void> {
  await index.filesWithoutKeyFile(dataFiles)
  while (await index.regroup(dataFiles));
}

const groupFiles = (layout: TableLayout): string[] =>
  readdirSync(layout.filters).filter((name) => name.endsWith('.group'))

test('finds each key in its own file while files are added, removed and merged, and after restarts', async () => {
  const seed = seedOr(20_261_122)
  console.log(`TRACELAKE_TEST_SEED=${seed}`)
  const random = new Random(seed)
  const layout = await layoutWith('oracle')
  let index = new KeyIndex(notesTable, layout)
  let files = new Map<DataFile, readonly string[]>()
  let made = 0
  const newIds = () => Array.from({ length: random.between(1, 30) }, () => `id-${made}-${random.below(2 ** 32)}`)
  for (let step = 0; step < 120; step++) {
    const ids = newIds()
    files.set(await fileOf(layout, `part-${made++}`, ids), ids)
    if (random.chance(0.1) && files.size > 4) files.delete(random.pick([...files.keys()]))
    if (random.chance(0.1) && files.size > 12) {
      const merged = [...files].slice(3, 9)
      for (const [dataFile] of merged) files.delete(dataFile)
      const together = merged.flatMap(([, those]) => those)
      files.set(await fileOf(layout, `part-${made++}`, together), together)
    }
    const dataFiles = [...files.keys()]
    if (random.chance(0.7)) await regrouped(index, dataFiles)
    if (random.chance(0.1)) {
      // A file as a crash may leave it.
      const [group] = groupFiles(layout)
      if (group !== undefined && random.chance(0.5)) writeFileSync(join(layout.filters, group), 'damaged')
      index = new KeyIndex(notesTable, layout)
      await index.open(
        dataFiles.map(({ fileName }) => fileName),
        { mayWrite: true },
      )
    }
    const [dataFile, held] = random.pick([...files])
    const requested = [random.pick(held), `absent-${step}`, random.pick(held)]
    const found = await index.lookUp(
      dataFiles,
      [...new Set(requested)].map((id) => rowKey('p', id)),
    )
    expect(found.dataFiles).toEqual([dataFile])
    expect([...found.matchingKeys].sort()).toEqual(
      [...new Set([requested[0]!, requested[2]!])].map((id) => rowKey('p', id)).sort(),
    )
    expect(await index.lookUp(dataFiles, [rowKey('q', requested[0]!)])).toEqual({
      dataFiles: [],
      matchingKeys: [],
    })
  }
  files = new Map([...files].slice(0, 2))
  await regrouped(index, [...files.keys()])
  expect(groupFiles(layout)).toEqual([])
})

test('probes a few groups for a thousand files, and recognizes new keys', async () => {
  const layout = await layoutWith('many')
  const ids = (file: number) => Array.from({ length: 20 }, (_, i) => `id-${file}-${i}`)
  const dataFiles = await Promise.all(
    Array.from({ length: 1000 }, (_, file) => fileOf(layout, `part-${file}`, ids(file))),
  )
  const index = new KeyIndex(notesTable, layout)
  await regrouped(index, dataFiles)
  expect(index.stats.groups).toBe(1)
  expect(index.stats.memoryBytes).toBe(0)
  const absent = Array.from({ length: 5000 }, (_, i) => rowKey('p', `absent-${i}`))
  expect(await index.lookUp(dataFiles, absent)).toEqual({ dataFiles: [], matchingKeys: [] })
  const present = dataFiles.map((_, file) => rowKey('p', `id-${file}-7`))
  const found = await index.lookUp(dataFiles, [...absent, ...present])
  expect(found.dataFiles).toHaveLength(1000)
  expect([...found.matchingKeys].sort()).toEqual(present.sort())
})

test('a file without a usable key file may contain any key within its bounds', async () => {
  const layout = await layoutWith('bounds')
  const known = await fileOf(layout, 'part-0', ['a'])
  const statistics = { numRecords: 1, minValues: { id: 'f' }, maxValues: { id: 'h' }, nullCount: {} }
  const foreign: DataFile = { ...known, fileName: 'part-1', statistics }
  const index = new KeyIndex(notesTable, layout)
  const keys = ['a', 'g', 'z'].map((id) => rowKey('p', id))
  expect(await index.lookUp([known, foreign], keys)).toEqual({
    dataFiles: [known, foreign],
    matchingKeys: [keys[0]!, keys[1]!],
  })
  expect(await index.filesWithoutKeyFile([known, foreign])).toEqual([foreign])
  await fileOf(layout, 'part-1', ['z'])
  index.invalidate(foreign)
  expect((await index.lookUp([known, foreign], keys)).matchingKeys).toEqual([keys[0]!, keys[2]!])
  expect(readFileSync(layout.index('part-1')).byteLength).toBeGreaterThan(0)
})

test('a filter that arrives while hashes are computed rules out nothing by hashes of another kind', async () => {
  const layout = await layoutWith('late')
  const builder = new FileIndexBuilder(notesTable, 'xxh32')
  builder.add(cellReader(noteRow({ id: 'a' })))
  const early = BloomFilter.fromBytes((await builder.toFilter()).toBytes(), 'xxh32')!
  /** Has the filter as soon as somebody has asked for it in vain. */
  class Late extends LastUsed<FilterInMemory> {
    override get(key: string): FilterInMemory | undefined {
      const found = super.get(key)
      queueMicrotask(() => this.set(key, early))
      return found
    }
  }
  const own = new DeferredFilter('x', new Late(1 << 20), async () => undefined)
  const dataFile: DataFile = { ...(await fileOf(layout, 'part-0', ['a'])), filter: new FileFilter({ own }) }
  const keys = [rowKey('p', 'a')]
  expect((await new KeyIndex(notesTable, layout).lookUp([dataFile], keys)).matchingKeys).toEqual(keys)
})

test.each([
  ['does not answer', 'unreachable', 1],
  ['lacks an index', 'absent', 4],
] as const)('a store that %s is waited for at most so often', async (_, kind, waits) => {
  let asked = 0
  const files: StoredFiles = {
    ...localFiles,
    open: async () => {
      asked++
      throw new DomainError('StoreUnavailable', 'away', { cause: new ObjectStoreError(kind, 'away') })
    },
  }
  const local = await layoutWith('away')
  const layout = new TableLayout(join(folder, 'away'), notesTable.name, undefined, files)
  const dataFiles = await Promise.all([0, 1, 2, 3].map((at) => fileOf(local, `part-${at}`, ['a'])))
  const holders = await new KeyIndex(notesTable, layout).holdersOf(dataFiles, [rowKey('p', 'b')])
  expect([...holders.values()]).toEqual(dataFiles.map(() => ({ indexes: [0], isExact: false })))
  expect(asked).toBe(waits)
})

test('files whose indexes vanish before they are grouped are rebuilt instead of tried for ever', async () => {
  const layout = await layoutWith('vanished')
  const dataFiles = await Promise.all(
    Array.from({ length: 20 }, (_, file) => fileOf(layout, `part-${file}`, [`id-${file}`])),
  )
  const index = new KeyIndex(notesTable, layout)
  expect(await index.filesWithoutKeyFile(dataFiles)).toEqual([])
  const gone = dataFiles.slice(0, 12)
  for (const { fileName } of gone) rmSync(layout.index(fileName))
  let steps = 0
  while (steps < 10 && (await index.regroup(dataFiles))) steps++
  expect(steps).toBeLessThan(3)
  expect(await index.filesWithoutKeyFile(dataFiles)).toEqual(gone)
})

test('a store that goes away while files are grouped says nothing about their indexes', async () => {
  const local = await layoutWith('leaves')
  const isGrouping = () => readdirSync(local.filters).some((name) => name.endsWith('.group.tmp'))
  let isAway = true
  const files: StoredFiles = {
    ...localFiles,
    open: async (path) => {
      if (isAway && isGrouping())
        throw new DomainError('StoreUnavailable', 'away', { cause: new ObjectStoreError('unreachable', 'away') })
      return await localFiles.open(path)
    },
  }
  const layout = new TableLayout(join(folder, 'leaves'), notesTable.name, undefined, files)
  const dataFiles = await Promise.all(
    Array.from({ length: 10 }, (_, file) => fileOf(local, `part-${file}`, [`id-${file}`])),
  )
  const index = new KeyIndex(notesTable, layout)
  expect(await index.filesWithoutKeyFile(dataFiles)).toEqual([])
  await expect(index.regroup(dataFiles)).rejects.toThrow('away')
  expect(await index.filesWithoutKeyFile(dataFiles)).toEqual([])
  isAway = false
  expect(await index.regroup(dataFiles)).toBe(true)
  expect(groupFiles(layout)).toHaveLength(1)
})

/** Lets the first lookup find the groups damaged. */
function damageGroups(layout: TableLayout): void {
  for (const name of groupFiles(layout)) {
    const path = join(layout.filters, name)
    const bytes = readFileSync(path)
    for (let at = blockBytes; at < bytes.length; at += 100) bytes[at]! ^= 0x20
    writeFileSync(path, bytes)
  }
}

async function reopened(layout: TableLayout, dataFiles: readonly DataFile[], bytesMax: number): Promise<KeyIndex> {
  const index = new KeyIndex(notesTable, layout, new BlockCache(bytesMax))
  const fileNames = dataFiles.map(({ fileName }) => fileName)
  await index.open(fileNames, { mayWrite: true })
  return index
}

test('files of damaged groups get no more Bloom filters than there is room for', async () => {
  // As many rows fit into a group as eight of the files have, and then seven.
  using stack = new DisposableStack()
  stack.defer(changeLimits({ groupRowsMax: 3200 }))
  const layout = await layoutWith('room')
  const idsOf = (file: number) => Array.from({ length: 400 }, (_, at) => `id-${file}-${at}`)
  const dataFiles = await Promise.all(
    Array.from({ length: 16 }, (_, file) => fileOf(layout, `part-${file}`, idsOf(file))),
  )
  await regrouped(new KeyIndex(notesTable, layout), dataFiles)
  expect(groupFiles(layout)).toHaveLength(2)
  damageGroups(layout)
  stack.defer(changeLimits({ groupRowsMax: 2800 }))
  const room = 2 * blockBytes
  const index = await reopened(layout, dataFiles, room)
  const filterBytes = () => dataFiles.reduce((sum, { filter }) => sum + filter.byteLength, 0)
  for (let steps = 0, isChanged = true; steps < 6 && isChanged; steps++) {
    for (const [file, dataFile] of dataFiles.entries())
      expect(await index.lookUp(dataFiles, [rowKey('p', `id-${file}-7`)])).toMatchObject({ dataFiles: [dataFile] })
    isChanged = await index.regroup(dataFiles)
    expect(filterBytes()).toBeLessThanOrEqual(room)
  }
  expect(groupFiles(layout)).toHaveLength(2)
  expect(dataFiles.filter(({ filter }) => filter.isInGroup)).toHaveLength(14)
  expect(filterBytes()).toBeGreaterThan(0)
}, 60_000)

test('files of damaged groups whose indexes vanish are rebuilt instead of tried for ever', async () => {
  using stack = new DisposableStack()
  stack.defer(changeLimits({ groupRowsMax: 8 }))
  const layout = await layoutWith('both')
  const dataFiles = await Promise.all(
    Array.from({ length: 16 }, (_, file) => fileOf(layout, `part-${file}`, [`id-${file}`])),
  )
  await regrouped(new KeyIndex(notesTable, layout), dataFiles)
  expect(groupFiles(layout)).toHaveLength(2)
  damageGroups(layout)
  for (const { fileName } of dataFiles) rmSync(layout.index(fileName))
  // Those of both groups by turns.
  const shuffled = dataFiles.slice(0, 8).flatMap((dataFile, at) => [dataFile, dataFiles[at + 8]!])
  const index = await reopened(layout, shuffled, 2 * blockBytes)
  expect((await index.lookUp(shuffled, [rowKey('p', 'id-3')])).dataFiles).toHaveLength(16)
  let steps = 0
  while (steps < 10 && (await index.regroup(shuffled))) steps++
  expect(steps).toBeLessThan(4)
  expect(groupFiles(layout)).toEqual([])
  expect(await index.filesWithoutKeyFile(shuffled)).toEqual(shuffled)
}, 60_000)
