import { expect, test } from 'bun:test'
import type { ListedRun } from '../model/run-list.ts'
import { orderOf } from './run-order.ts'

const run = (evaluation_call_id: string, started_at: string) => ({ evaluation_call_id, started_at }) as ListedRun

test('a run that starts at a whole second comes before those within it, on pages too', () => {
  const runs = [
    run('b', '2026-11-29T07:40:16.000001Z'),
    run('a', '2026-11-29T07:40:16Z'),
    run('c', '2026-11-29T07:40:17Z'),
  ]
  const idsOf = (found: readonly ListedRun[]) => found.map((each) => each.evaluation_call_id).join('')
  for (const [direction, expected] of [
    ['asc', 'abc'],
    ['desc', 'cba'],
  ] as const) {
    const order = orderOf({ project_id: 'a/b', sort_by: { field: 'started_at', direction } })
    const sorted = runs.toSorted(order.compare)
    expect(idsOf(sorted)).toBe(expected)
    expect(sorted.map((last) => idsOf(order.after(sorted, order.placeOf(last))))).toEqual([
      expected.slice(1),
      expected.slice(2),
      '',
    ])
  }
})
