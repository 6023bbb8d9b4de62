import { expect, test } from 'bun:test'
import type { Relation, TimeBounds } from '../../lib/relation.ts'
import { WindowsInOrder } from './page-windows.ts'

/** Files with times, and a memtable of whose rows some thousands are after 500. */
const relationOf = (times: readonly TimeBounds[]): Relation => ({
  branches: [
    { source: { kind: 'files', paths: times.map((_, at) => `${at}.parquet`), times, missing: '' }, masks: [] },
    { source: { kind: 'table', name: 'memtable', recentSince: 500 }, masks: [] },
  ],
  key: ['project_id', 'id'],
  presenceColumn: 'op_name',
})

const firstWindow = (times: readonly TimeBounds[]) =>
  new WindowsInOrder(relationOf(times), 'desc').next({ found: 0, wanted: 50 })?.window
const older = Array.from({ length: 6 }, (_, at) => [at * 80, at * 80 + 90] as const)
const newer = Array.from({ length: 6 }, (_, at) => [600 + at * 80, 670 + at * 80] as const)

test('the newest rows in memory come first, with those of a file that overlaps', () => {
  expect(firstWindow(older)).toEqual({ after: 500, through: undefined })
  expect(firstWindow([...older, [450, 510]])).toEqual({ after: 500, through: undefined })
})

test('files that are newer than the rows in memory are read one after the other', () => {
  expect(firstWindow([...older, ...newer])).toEqual({ after: 990, through: undefined })
})
