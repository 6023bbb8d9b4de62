import { expect, test } from 'bun:test'
import { volumeChart } from './chart-data.ts'

const hour = 3_600_000
const start = Date.parse('2026-11-22T10:00:00Z')
const buckets = [0, 1].map((at) => ({ from: start + at * hour, to: start + (at + 1) * hour }))
const row = (bucket: number, group: string, count: number) => ({
  timestamp: new Date(start + bucket * hour).toISOString(),
  group,
  sum_call_count: count,
})
const shown = (rows: readonly ReturnType<typeof row>[]) =>
  volumeChart(rows, buckets).series.map(({ name, values, total }) => [name, values, total])

test('a call with an error inside is neither OK nor an error of its own', () => {
  const rows = [row(0, 'success', 3), row(0, 'descendant_error', 2), row(1, 'error', 1), row(1, 'running', 4)]
  expect(shown(rows)).toEqual([
    ['Error', [0, 1], 1],
    ['Error inside', [2, 0], 2],
    ['OK', [3, 0], 3],
    ['Running', [0, 4], 4],
  ])
  expect(volumeChart(rows, buckets).sum).toBe(10)
})

test('statuses that no call has are left out, but those of every chart', () => {
  expect(shown([row(1, 'success', 1)])).toEqual([
    ['Error', [0, 0], 0],
    ['OK', [0, 1], 1],
  ])
})
