import { expect, test } from 'bun:test'
import { Random } from '../../../test/store/random.ts'
import { BloomFilter, hashValue, KeyHashCollector } from './bloom-filter.ts'

function filterOf(count: number): BloomFilter {
  const filter = BloomFilter.withCapacity(count)
  for (let i = 0; i < count; i++) filter.add(hashValue('id', 'e/p', `present-${i}`))
  return filter
}

test('there are no false negatives', () => {
  for (const count of [1, 2, 10, 1000, 50_000]) {
    const filter = filterOf(count)
    for (let i = 0; i < count; i++) expect(filter.mayContain(hashValue('id', 'e/p', `present-${i}`))).toBe(true)
  }
})

test('fewer than 1 in 5,000 absent values are false positives', () => {
  const filter = filterOf(50_000)
  let taken = 0
  for (let i = 0; i < 200_000; i++) if (filter.mayContain(hashValue('id', 'e/p', `absent-${i}`))) taken++
  expect(taken).toBeLessThan(40)
})

test('the column and the project are part of the hashed value', () => {
  const filter = filterOf(100)
  const others = Array.from({ length: 100 }, (_, i) => [
    filter.mayContain(hashValue('trace_id', 'e/p', `present-${i}`)),
    filter.mayContain(hashValue('id', 'e/q', `present-${i}`)),
  ])
  expect(others.flat().filter(Boolean)).toEqual([])
})

test('no two of two million ids of 16 hexadecimal digits have the same hash', () => {
  const random = new Random(20_261_129)
  const digits = () =>
    random
      .below(2 ** 32)
      .toString(16)
      .padStart(8, '0')
  const hashes = new KeyHashCollector()
  const count = 2_000_000
  for (let i = 0; i < count; i++) hashes.add(hashValue('id', 'acme/spans', `${digits()}${digits()}`))
  expect(hashes.sorted().length / 2).toBe(count)
}, 120_000)

test('an empty filter contains nothing', () => {
  expect(BloomFilter.withCapacity(0).mayContain(hashValue('id', 'e/p', 'a'))).toBe(false)
})

test('a filter round-trips through its bytes', () => {
  const again = BloomFilter.fromBytes(filterOf(1000).toBytes())!
  for (let i = 0; i < 1000; i++) expect(again.mayContain(hashValue('id', 'e/p', `present-${i}`))).toBe(true)
  expect(again.toBytes()).toEqual(filterOf(1000).toBytes())
})

test('bytes that were truncated, extended or altered anywhere are rejected', () => {
  const bytes = filterOf(100).toBytes()
  expect(BloomFilter.fromBytes(new Uint8Array())).toBeUndefined()
  expect(BloomFilter.fromBytes(bytes.subarray(0, bytes.byteLength - 4))).toBeUndefined()
  expect(BloomFilter.fromBytes(new Uint8Array([...bytes, 0, 0, 0, 0]))).toBeUndefined()
  for (const at of [0, 5, 17, bytes.byteLength - 1]) {
    const changed = bytes.slice()
    changed[at]! ^= 0x04
    expect(BloomFilter.fromBytes(changed)).toBeUndefined()
  }
})
