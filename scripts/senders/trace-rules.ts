import { expect } from 'bun:test'
import type { Trace } from '../../src/demo/traces/call-items.ts'

/** What holds for every trace that a sender makes; for tests. */
export function expectWellFormed(trace: Trace): void {
  const byId = new Map(trace.map((call) => [call.start.id, call]))
  expect(byId.size).toBe(trace.length)
  expect(trace.filter(({ start }) => start.parent_id === undefined)).toEqual([trace[0]!])
  expect(new Set(trace.map(({ start }) => start.trace_id)).size).toBe(1)
  expect(new Set(trace.map(({ start }) => start.thread_id)).size).toBe(1)
  let lastStartMs = 0
  for (const { start, end } of trace) {
    expect(start.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    const startMs = Date.parse(start.started_at)
    expect(startMs).toBeGreaterThanOrEqual(lastStartMs)
    lastStartMs = startMs
    if (end) {
      expect(end.id).toBe(start.id)
      expect(Date.parse(end.ended_at)).toBeGreaterThanOrEqual(startMs)
    }
    if (start.turn_id !== undefined) expect(byId.has(start.turn_id)).toBe(true)
    if (start.parent_id === undefined) continue
    const parent = byId.get(start.parent_id)
    if (!parent) throw new Error(`${start.id} has the unknown parent ${start.parent_id}`)
    expect(startMs).toBeGreaterThanOrEqual(Date.parse(parent.start.started_at))
    if (parent.end) expect(Date.parse(end!.ended_at)).toBeLessThanOrEqual(Date.parse(parent.end.ended_at))
  }
}
