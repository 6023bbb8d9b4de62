import { expect, test } from 'bun:test'
import { sha256Base64Url } from '../runtime/platform/crypto.ts'
import { isInSplit, readSplit, splitBucket } from './splits.ts'

const digests = Array.from({ length: 20_000 }, (_, row) => sha256Base64Url(`row ${row}`))
const present = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('Read a split: there is none')
  return value
}

test('a bucket is FNV-1a of the digest modulo 100', () => {
  // The published values of FNV-1a: 0xe40c292c for "a", 0xbf9cf968 for "foobar".
  expect(splitBucket('a')).toBe(0xe40c292c % 100)
  expect(splitBucket('foobar')).toBe(0xbf9cf968 % 100)
})

test('train and test divide the rows by their percentages', () => {
  for (const [train, rest, share] of [
    ['train', 'test', 0.8],
    ['train:90', 'test:10', 0.9],
    ['Train:50', 'TEST:50', 0.5],
  ] as const) {
    const [first, second] = [present(readSplit(train)), present(readSplit(rest))]
    const inFirst = digests.filter((digest) => isInSplit(first, digest))
    expect(digests.filter((digest) => isInSplit(second, digest))).toHaveLength(digests.length - inFirst.length)
    expect(inFirst.length / digests.length).toBeCloseTo(share, 1)
  }
})

test('a larger percentage keeps the rows of a smaller one', () => {
  const [small, large] = [present(readSplit('test:10')), present(readSplit('test:30'))]
  for (const digest of digests) if (isInSplit(small, digest)) expect(isInSplit(large, digest)).toBeTrue()
})

test.each(['', 'trainer', 'train:0', 'train:101', 'train:-1', 'test:1.5', 'all'])('%p is no split', (text) => {
  expect(readSplit(text)).toBeUndefined()
})
