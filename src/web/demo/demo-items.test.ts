import { expect, test } from 'bun:test'
import { demoItems } from './load-demo.ts'

test('every call of the demo starts before it ends, within its trace, and none in the future', () => {
  const now = Date.parse('2026-11-22T12:00:00Z')
  const items = demoItems('demo/airline', now) as { req: { start?: Start; end?: End } }[]
  const starts = items.flatMap(({ req }) => req.start ?? [])
  const ends = new Map(items.flatMap(({ req }) => (req.end ? [[req.end.id, req.end]] : [])))
  expect(starts.length).toBe(ends.size)
  expect(new Set(starts.map(({ trace_id }) => trace_id)).size).toBe(80)
  const byId = new Map(starts.map((start) => [start.id, start]))
  for (const { id, parent_id, started_at } of starts) {
    expect(ends.get(id)!.ended_at > started_at).toBe(true)
    expect(Date.parse(ends.get(id)!.ended_at)).toBeLessThan(now)
    if (parent_id !== null) expect(byId.get(parent_id)!.started_at < started_at).toBe(true)
  }
  expect([...ends.values()].filter(({ exception }) => exception !== null).length).toBeGreaterThan(3)
})

interface Start {
  readonly id: string
  readonly trace_id: string
  readonly parent_id: string | null
  readonly started_at: string
}
interface End {
  readonly id: string
  readonly ended_at: string
  readonly exception: string | null
}
