import { expect, test } from 'bun:test'
import { Random, seedOr } from '../../../test/store/random.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import type { DataFile } from '../data-files/data-file.ts'
import { SplitBlockBloomFilter } from '../keys/bloom-filter.ts'
import { KeyGroup, selectGroupMerge } from './key-group-set.ts'

const seed = seedOr(20_261_122)

test('a blocked filter has no false negatives, and fewer than 1 false positive in 100', () => {
  const random = new Random(seed)
  for (const count of [0, 1, 20, 1000, 100_000]) {
    const filter = SplitBlockBloomFilter.withCapacity(count)
    const keys = Array.from({ length: count }, () => [random.below(2 ** 32), random.below(2 ** 32)] as const)
    for (const [a, b] of keys) filter.add(a, b)
    expect(keys.every(([a, b]) => filter.mayContain(a, b))).toBe(true)
    let taken = 0
    for (let i = 0; i < 20_000; i++) if (filter.mayContain(random.below(2 ** 32), random.below(2 ** 32))) taken++
    expect(taken).toBeLessThan(200)
  }
  const ends = SplitBlockBloomFilter.withCapacity(1000)
  for (const a of [0, 2 ** 32 - 1]) {
    ends.add(a, a)
    expect(ends.mayContain(a, a)).toBe(true)
  }
})

test('a group round-trips through its bytes, and altered bytes are rejected', () => {
  const filter = SplitBlockBloomFilter.withCapacity(100)
  for (let i = 0; i < 100; i++) filter.add(i * 40_000_000, i * 77)
  const bytes = new KeyGroup(['part-ä.parquet', 'part-b.parquet'], 100, filter).toBytes()
  const again = KeyGroup.fromBytes(bytes)!
  expect([...again.fileNames]).toEqual(['part-ä.parquet', 'part-b.parquet'])
  expect(again.keys).toBe(100)
  expect(again.filter.words).toEqual(filter.words)
  for (let at = 0; at < bytes.byteLength; at++) {
    const changed = bytes.slice()
    changed[at]! ^= 0x04
    expect(KeyGroup.fromBytes(changed)).toBeUndefined()
  }
  for (const length of [0, 10, 40, bytes.byteLength - 1])
    expect(KeyGroup.fromBytes(bytes.slice(0, length))).toBeUndefined()
})

const fileOf = (number: number, rows: number): DataFile => ({ fileName: `part-${number}`, rows }) as DataFile
interface Group {
  readonly fileNames: ReadonlySet<string>
  readonly keys: number
}
const rowsOf = (dataFiles: readonly DataFile[]) => dataFiles.reduce((sum, { rows }) => sum + rows, 0)

test('groups stay few and keys are seldom rewritten while thousands of files arrive', () => {
  let groups: Group[] = []
  const dataFiles: DataFile[] = []
  let moved = 0
  for (let number = 0; number < 2000; number++) {
    dataFiles.push(fileOf(number, 100))
    for (let chosen = selectGroupMerge(dataFiles, groups, () => true); chosen !== undefined; ) {
      const { members, replaced } = chosen
      moved += rowsOf(members)
      const group = { fileNames: new Set(members.map(({ fileName }) => fileName)), keys: rowsOf(members) }
      groups = [...groups.filter((one) => !replaced.includes(one)), group]
      chosen = selectGroupMerge(dataFiles, groups, () => true)
    }
    const covered = groups.reduce((sum, { fileNames }) => sum + fileNames.size, 0)
    expect(dataFiles.length - covered).toBeLessThan(storageLimits.ungroupedFilesMax)
    expect(groups.length).toBeLessThan(9)
  }
  expect(moved / rowsOf(dataFiles)).toBeLessThan(9)
})

test('groups of removed files are dissolved, and files without keys stay ungrouped', () => {
  const files = Array.from({ length: 20 }, (_, number) => fileOf(number, 10))
  const group = { fileNames: new Set(files.map(({ fileName }) => fileName)), keys: 200 }
  expect(selectGroupMerge(files, [group], () => true)).toBeUndefined()
  expect(selectGroupMerge(files.slice(0, 10), [group], () => true)).toBeUndefined()
  expect(selectGroupMerge(files.slice(0, 5), [group], () => true)).toEqual({ members: [], replaced: [group] })
  expect(selectGroupMerge(files.slice(0, 9), [group], () => true)?.members).toEqual(files.slice(0, 9))
  expect(selectGroupMerge([], [group], () => true)).toEqual({ members: [], replaced: [group] })
  expect(selectGroupMerge(files, [], () => false)).toBeUndefined()
})
