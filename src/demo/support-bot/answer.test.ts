import { expect, test } from 'bun:test'
import { Tally } from '../../../scripts/senders/tally.ts'
import { expectWellFormed } from '../../../scripts/senders/trace-rules.ts'
import type { Trace } from '../traces/call-items.ts'
import { answerTurn } from './answer.ts'
import { scheduleTurns } from './schedule.ts'

const untilMs = Date.parse('2025-03-08T12:00:00Z')
const days = 7
const tell = (seed: number, traces = 500): Trace[] => {
  const story = { traces, seed, days, untilMs }
  return scheduleTurns(story).map((turn, index) => answerTurn(turn, { projectId: 'demo/support-bot', story, index }))
}
const traces = tell(1)
const calls = traces.flat()

test('every trace is a well-formed tree with increasing times', () => {
  for (const trace of traces) expectWellFormed(trace)
  expect(new Set(calls.map(({ start }) => start.id)).size).toBe(calls.length)
})

test('equal options give equal traces, different ones share no ids', () => {
  expect(tell(1)).toEqual(traces)
  const others = new Set([...tell(2), ...tell(1, 499)].flatMap((trace) => trace.map(({ start }) => start.id)))
  expect(calls.some(({ start }) => others.has(start.id))).toBe(false)
})

test('there are errors, running calls, several models and calls four levels deep', () => {
  const tally = Tally.of(traces)
  expect(tally.roots).toBe(500)
  expect(tally.perStatus.get('error')).toBeGreaterThan(20)
  expect(traces.filter(([root]) => root?.end === undefined)).toHaveLength(3)
  const models = new Set(calls.flatMap(({ end }) => Object.keys(end?.summary.usage ?? {})))
  expect([...models].sort()).toEqual(['claude-sonnet-4-5', 'gpt-4o', 'gpt-4o-mini', 'text-embedding-3-small'])
  expect(calls.some(({ end }) => Object.values(end?.summary.usage ?? {}).some(hasCachedTokens))).toBe(true)
  expect(Math.max(...traces.map(depth))).toBe(4)
})

test('all times are within the given days', () => {
  const times = calls.flatMap(({ start, end }) => [start.started_at, end?.ended_at ?? start.started_at]).map(Date.parse)
  expect(Math.min(...times)).toBeGreaterThanOrEqual(untilMs - days * 86_400_000)
  expect(Math.max(...times)).toBeLessThanOrEqual(untilMs)
})

test('a thread has up to five turns, each opened by the root of its trace', () => {
  const turns = new Map<string, number>()
  for (const [root] of traces) {
    expect(root!.start.turn_id).toBe(root!.start.id)
    turns.set(root!.start.thread_id!, (turns.get(root!.start.thread_id!) ?? 0) + 1)
  }
  expect(new Set(turns.values())).toEqual(new Set([1, 2, 3, 4, 5]))
})

function hasCachedTokens(usage: Record<string, number>): boolean {
  return (usage['cache_read_input_tokens'] ?? 0) > 0
}

function depth(trace: Trace): number {
  const depths = new Map<string, number>()
  for (const { start } of trace) depths.set(start.id, 1 + (depths.get(start.parent_id ?? '') ?? 0))
  return Math.max(...depths.values())
}
