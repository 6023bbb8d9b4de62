import { expect, test } from 'bun:test'
import { isFlushBehind, letFlushPass } from './flush-pressure.ts'

const memtableBytesMax = 1_000
const rowsOf = (bytes: number, sealed: object | undefined, rows = 1) => ({
  layers: { active: { bytes, dirtyBytes: 0, rows }, sealed },
  memtableBytesMax,
})

test('a flush is behind once the next memtable is half full of bytes or of rows', () => {
  expect(isFlushBehind(rowsOf(501, {}))).toBe(true)
  expect(isFlushBehind(rowsOf(0, {}, 100_000))).toBe(true)
  expect(isFlushBehind(rowsOf(500, {}))).toBe(false)
  expect(isFlushBehind(rowsOf(501, undefined))).toBe(false)
})

test('other work waits until the flush has ended, and not while the store closes', async () => {
  const rows = rowsOf(501, {})
  let hasPassed = false
  const passing = letFlushPass(rows, () => false).then(() => {
    hasPassed = true
  })
  await letFlushPass(rows, () => true)
  expect(hasPassed).toBe(false)
  rows.layers.sealed = undefined
  await passing
  expect(hasPassed).toBe(true)
})
