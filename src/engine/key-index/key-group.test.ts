import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Random, seedOr } from '../../../test/store/random.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import type { DataFile } from '../data-files/data-file.ts'
import { wholeFile } from '../index-file/index-file.ts'
import { KeyHashCollector, type ValueHash } from '../keys/bloom-filter.ts'
import { bytesOfKeys, KeyFile } from '../keys/key-file.ts'
import { BlockCache, blockBytes } from './block-cache.ts'
import { KeyGroup } from './key-group.ts'
import { selectGroupMerge } from './key-group-set.ts'
import { writeKeyGroup } from './write-key-group.ts'

const folder = mkdtempSync(join(tmpdir(), 'tracelake-groups-'))
afterAll(() => rmSync(folder, { recursive: true }))
const random = new Random(seedOr(20_261_130))
const randomHash = (): ValueHash => ({ a: random.below(2 ** 32), b: (random.below(2 ** 32) | 1) >>> 0 })
let lists = 0

async function listOf(hashes: readonly ValueHash[]): Promise<KeyFile> {
  const collector = new KeyHashCollector()
  for (const hash of hashes) collector.add(hash)
  const path = join(folder, `list-${lists++}`)
  writeFileSync(path, bytesOfKeys(collector.sorted()))
  return (await KeyFile.find((await wholeFile(path))!))!
}

/** A group of files with these hashes. */
async function groupWith(files: readonly (readonly ValueHash[])[], cache = new BlockCache(1 << 24)) {
  const path = join(folder, `${lists}.group`)
  const members = files.map(async (hashes, number) => {
    const half = Math.floor(hashes.length / 2)
    return {
      fileName: `part-ä-${number}`,
      lists: [await listOf(hashes.slice(0, half)), await listOf(hashes.slice(half))],
    }
  })
  await writeKeyGroup(path, await Promise.all(members))
  return (await KeyGroup.find(path, cache))!
}

function answerOf(group: KeyGroup, hash: ValueHash): readonly number[] | undefined {
  using reader = group.reader()
  return group.filesWith(hash, reader)
}

const differentHashes = (count: number): ValueHash[] => Array.from({ length: count }, randomHash)

test.each([
  [1, 0],
  [1, 1],
  [1, 5000],
  [3, 700],
  [40, 3000],
  [300, 20],
  // More than one slice of the buckets.
  [3, 180_000],
])('a group of %i files with %i values each names the files that have one', async (count, values) => {
  const files = Array.from({ length: count }, () => differentHashes(values))
  // Some values are in many files, as a thread of many days.
  const shared = differentHashes(5)
  for (const file of files) if (random.chance(0.7)) file.push(...shared)
  files[0]!.push({ a: 0, b: 2 ** 32 - 1 }, { a: 2 ** 32 - 1, b: 2 ** 32 - 1 })
  const group = await groupWith(files)
  expect(group.fileNames).toHaveLength(count)
  let wrong = 0
  let asked = 0
  for (const [number, hashes] of files.entries()) {
    for (const hash of hashes.slice(-300)) {
      const found = answerOf(group, hash)!
      expect(found).toContain(number)
      expect(new Set(found).size).toBe(found.length)
    }
  }
  for (let time = 0; time < 20_000; time++, asked++) wrong += answerOf(group, randomHash())!.length
  expect(wrong / asked).toBeLessThan(1 / 1000)
  const expected = files.flatMap((hashes, number) => (hashes.includes(shared[0]!) ? [number] : []))
  expect(answerOf(group, shared[0]!)).toEqual(expected)
})

test('memory for groups has a bound, beyond which answers are read from the files', async () => {
  const blocks = 12
  const cache = new BlockCache(blocks * blockBytes)
  const files = Array.from({ length: 30 }, () => differentHashes(4000))
  const groups = [await groupWith(files.slice(0, 10), cache), await groupWith(files.slice(10), cache)]
  for (let time = 0; time < 5000; time++) {
    const number = random.below(30)
    const hash = random.pick(files[number]!)
    const found = groups.map((group) => answerOf(group, hash)!)
    expect(number < 10 ? found[0] : found[1]).toContain(number < 10 ? number : number - 10)
    expect(cache.byteLength).toBeLessThanOrEqual(blocks * blockBytes)
  }
  // Far more than the cache holds.
  expect(readFileSync(groups[0]!.path).byteLength).toBeGreaterThan(3 * blocks * blockBytes)
})

test('a damaged group says nothing', async () => {
  const files = Array.from({ length: 5 }, () => differentHashes(2000))
  const { path, fileNames } = await groupWith(files)
  const headerEnd = 32 + Buffer.byteLength(fileNames.join('\n'))
  const bytes = readFileSync(path)
  for (let at = 0; at < bytes.byteLength; at += at < 200 ? 1 : 1009) {
    const changed = new Uint8Array(bytes)
    changed[at]! ^= 0x04
    writeFileSync(path, changed)
    const group = await KeyGroup.find(path, new BlockCache(1 << 24))
    if (group === undefined) continue
    const answers = files.map((hashes) => hashes.map((hash) => answerOf(group, hash)))
    for (const [number, answered] of answers.entries())
      for (const found of answered) expect(found === undefined || found.includes(number)).toBe(true)
    const isPadding = at >= headerEnd && at < blockBytes
    expect(group.isDamaged).toBe(!isPadding)
  }
  for (const length of [0, 10, 40, blockBytes, bytes.byteLength - blockBytes, bytes.byteLength - 1]) {
    writeFileSync(path, bytes.subarray(0, length))
    expect(await KeyGroup.find(path, new BlockCache(1 << 24))).toBeUndefined()
  }
  writeFileSync(path, bytes)
  const group = (await KeyGroup.find(path, new BlockCache(1 << 24)))!
  rmSync(path)
  expect(answerOf(group, files[0]![0]!)).toBeUndefined()
})

const fileOf = (number: number, rows: number): DataFile => ({ fileName: `part-${number}`, rows }) as DataFile
const groupOf = (members: readonly DataFile[], isDamaged = false) => ({
  fileNames: members.map(({ fileName }) => fileName),
  keys: rowsOf(members),
  isDamaged,
})
const rowsOf = (dataFiles: readonly DataFile[]) => dataFiles.reduce((sum, { rows }) => sum + rows, 0)

test('groups stay few and keys are seldom rewritten while thousands of files arrive', () => {
  let groups: ReturnType<typeof groupOf>[] = []
  const dataFiles: DataFile[] = []
  let moved = 0
  for (let number = 0; number < 2000; number++) {
    dataFiles.push(fileOf(number, 100))
    for (let chosen = selectGroupMerge(dataFiles, groups, () => true); chosen !== undefined; ) {
      const { members, replaced } = chosen
      moved += rowsOf(members)
      groups = [...groups.filter((one) => !replaced.includes(one)), groupOf(members)]
      chosen = selectGroupMerge(dataFiles, groups, () => true)
    }
    const covered = groups.reduce((sum, { fileNames }) => sum + fileNames.length, 0)
    expect(dataFiles.length - covered).toBeLessThan(storageLimits.ungroupedFilesMax)
    expect(groups.length).toBeLessThan(9)
  }
  expect(moved / rowsOf(dataFiles)).toBeLessThan(9)
})

test('groups of removed files and damaged ones are dissolved, and files without keys stay ungrouped', () => {
  const files = Array.from({ length: 20 }, (_, number) => fileOf(number, 10))
  const group = groupOf(files)
  expect(selectGroupMerge(files, [group], () => true)).toBeUndefined()
  expect(selectGroupMerge(files.slice(0, 10), [group], () => true)).toBeUndefined()
  expect(selectGroupMerge(files.slice(0, 5), [group], () => true)).toEqual({ members: [], replaced: [group] })
  expect(selectGroupMerge(files.slice(0, 9), [group], () => true)?.members).toEqual(files.slice(0, 9))
  expect(selectGroupMerge([], [group], () => true)).toEqual({ members: [], replaced: [group] })
  expect(selectGroupMerge(files, [], () => false)).toBeUndefined()
  const damaged = groupOf(files, true)
  expect(selectGroupMerge(files, [damaged], () => true)).toEqual({ members: files, replaced: [damaged] })
})

test('no group has more rows than its entries can be counted, also if all files come at once', () => {
  const { groupRowsMax } = storageLimits
  const files = Array.from({ length: 20 }, (_, number) => fileOf(number, groupRowsMax / 8))
  let groups = [groupOf(files.slice(0, 12), true)]
  for (let steps = 0; steps < 3; steps++) {
    const chosen = selectGroupMerge(files, groups, () => true)
    if (chosen === undefined) break
    expect(rowsOf(chosen.members)).toBeLessThanOrEqual(groupRowsMax)
    // Files of a damaged group stay in it until they are in another one.
    const moved = new Set(groups.flatMap(({ isDamaged, fileNames }) => (isDamaged ? [] : fileNames)))
    for (const { fileName } of chosen.members) moved.add(fileName)
    if (chosen.members.length > 0)
      for (const { fileNames } of chosen.replaced) expect(fileNames.every((name) => moved.has(name))).toBe(true)
    groups = [...groups.filter((one) => !chosen.replaced.includes(one)), groupOf(chosen.members)]
  }
  expect(groups.map(({ fileNames }) => fileNames.length)).toEqual([8, 8])
  expect(selectGroupMerge(files, groups, () => true)).toBeUndefined()
})

test('files of damaged groups are grouped again, even if only few of them fit into one', () => {
  const { groupRowsMax } = storageLimits
  const files = Array.from({ length: 14 }, (_, number) => fileOf(number, Math.floor(groupRowsMax / 7)))
  let groups = [groupOf(files.slice(0, 7), true), groupOf(files.slice(7), true)]
  const first = selectGroupMerge(files, groups, () => true)!
  expect(first).toEqual({ members: files.slice(0, 7), replaced: groups.slice(0, 1) })
  groups = [groups[1]!, groupOf(first.members)]
  // The others are too few for a group.
  expect(selectGroupMerge(files, groups, () => true)).toEqual({ members: [], replaced: groups.slice(0, 1) })
  const tooLarge = Array.from({ length: 20 }, (_, number) => fileOf(number, groupRowsMax + 1))
  expect(selectGroupMerge(tooLarge, [], () => true)).toBeUndefined()
})
