import { expect, test } from 'bun:test'
import { MiB } from '../../lib/bytes.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import { sliceRowGroups } from './sorted-slices.ts'

const { sortedBytesMax } = storageLimits
const rowsOf = (slices: readonly { rows: number }[]) => slices.map(({ rows }) => rows)

test('few bytes are one slice', () => {
  const planned = { rows: 100_000, bytes: sortedBytesMax, groups: { kind: 'uniform', rows: 4096 } } as const
  expect(sliceRowGroups(planned)).toEqual([{ rows: 100_000, groups: planned.groups }])
})

test('slices end with row groups, and have all rows', () => {
  const slices = sliceRowGroups({ rows: 100_000, bytes: 100 * MiB, groups: { kind: 'uniform', rows: 4096 } })
  expect(rowsOf(slices)).toEqual([12_288, 12_288, 12_288, 12_288, 12_288, 12_288, 12_288, 12_288, 1696])
})

test('a row group is never divided', () => {
  const slices = sliceRowGroups({ rows: 5000, bytes: 400 * MiB, groups: { kind: 'uniform', rows: 2048 } })
  expect(rowsOf(slices)).toEqual([2048, 2048, 904])
})

test('row groups of unequal lengths stay as they are', () => {
  const lengths = [100, 200, 300, 400, 500, 600, 700]
  const slices = sliceRowGroups({ rows: 2800, bytes: 3.5 * sortedBytesMax, groups: { kind: 'variable', lengths } })
  expect(slices).toEqual([
    { rows: 300, groups: { kind: 'variable', lengths: [100, 200] } },
    { rows: 700, groups: { kind: 'variable', lengths: [300, 400] } },
    { rows: 1100, groups: { kind: 'variable', lengths: [500, 600] } },
    { rows: 700, groups: { kind: 'variable', lengths: [700] } },
  ])
})
