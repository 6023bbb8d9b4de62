import { expect, test } from 'bun:test'
import { formatDuration, formatElapsed } from './duration.ts'
import { opName, shortId } from './ids.ts'
import { formatBytes, formatCost, formatCountUpTo, formatNumber, formatShare, formatShort } from './number.ts'

test('durations have three significant digits and their unit', () => {
  const shown = [
    0, 0.25, 4, 9.96, 75.4, 908.7, 999.6, 1_580, 24_700, 59_940, 59_960, 125_000, 3_599_999, 11_520_000, 187_200_000,
  ]
  expect(shown.map(formatDuration)).toEqual([
    '0 ms',
    '250 µs',
    '4 ms',
    '10 ms',
    '75 ms',
    '909 ms',
    '1.00 s',
    '1.58 s',
    '24.7 s',
    '59.9 s',
    '1 min 00 s',
    '2 min 05 s',
    '1 h 00 min',
    '3 h 12 min',
    '2 d 4 h',
  ])
  expect([42_900, 725_000].map(formatElapsed)).toEqual(['0:42', '12:05'])
})

test('costs keep the digits that count', () => {
  expect([0, 374.814, 0.104, 0.046, 0.0091, 0.00056, 0.0000001, 1_234.5].map(formatCost)).toEqual([
    '$0',
    '$374.81',
    '$0.104',
    '$0.046',
    '$0.0091',
    '$0.00056',
    '<$0.0001',
    '$1,234.50',
  ])
})

test('numbers and sizes', () => {
  expect([0, 812, 4_312, 29_000, 99_960, 171_400, 8_800_000, 361_000_000].map(formatShort)).toEqual([
    '0',
    '812',
    '4.3k',
    '29.0k',
    '100k',
    '171k',
    '8.80M',
    '361M',
  ])
  expect([0.83333, 12.46, 4_812].map(formatNumber)).toEqual(['0.833', '12.5', '4,812'])
  expect([0, 0.0291, 0.61].map(formatShare)).toEqual(['0%', '2.9%', '61%'])
  expect(formatCountUpTo(10_001, 10_000)).toBe('10,000+')
  expect([812, 20_400_000, 30_100_000_000, 999_900].map(formatBytes)).toEqual([
    '812 B',
    '20.4 MB',
    '30.1 GB',
    '1.00 MB',
  ])
})

test('ids are cut in the middle, ops shown by name', () => {
  expect(shortId('0192f3aa-bbcc-7e02', 8)).toBe('0192…7e02')
  expect(opName('ext:///acme/bot/op/solve%20it:7d1f')).toBe('solve it')
  expect(opName('plain name')).toBe('plain name')
})
