import { expect, test } from 'bun:test'
import { chooseCoding } from './compression.ts'

test.each([
  [null, undefined],
  ['', undefined],
  ['identity', undefined],
  ['gzip', 'gzip'],
  ['gzip, deflate', 'gzip'],
  ['gzip, deflate, br, zstd', 'zstd'],
  ['GZIP', 'gzip'],
  ['zstd;q=0.5, gzip;q=0.8', 'gzip'],
  ['zstd;q=0, gzip', 'gzip'],
  ['gzip;q=0', undefined],
  ['*', 'zstd'],
  ['*;q=0.1, gzip;q=0.5', 'gzip'],
  ['zstd;q=0, *', 'gzip'],
  ['gzip;q=0.5, identity', undefined],
  ['gzip;q=0.5, identity;q=0.4', 'gzip'],
  ['br', undefined],
  ['x-gzip-not', undefined],
  [' gzip ; q=1.0 ', 'gzip'],
  ['gzip;q=abc', 'gzip'],
  [',,;q=1,', undefined],
])('of zstd and gzip, %p takes %p', (header, coding) => {
  expect(chooseCoding(header, ['zstd', 'gzip'])).toBe(coding)
})
