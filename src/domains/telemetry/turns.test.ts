import { describe, expect, test } from 'bun:test'
import { telemetryLimits } from '../../lib/limits/telemetry.ts'
import { OpenTurns, type TurnSpan, topFinder } from './turns.ts'

const span = (parentId: string | null, threadId: string | null = 'talk'): TurnSpan => ({
  parentId,
  threadId,
  isByPlace: true,
  turnId: null,
})

describe('open turns', () => {
  test('resolve to the topmost span of the same thread', () => {
    const turn = new Map([
      ['web', span(null, null)],
      ['agent', span('web')],
      ['other', span('agent', 'another')],
      ['chat', span('other')],
    ])
    const topOf = topFinder(turn)
    expect(['chat', 'other', 'agent', 'chat'].map(topOf)).toEqual(['agent', 'other', 'agent', 'agent'])
  })

  test('resolve through long chains', () => {
    const length = 100_000
    const turn = new Map(Array.from({ length }, (_, id) => [String(id), span(id === 0 ? null : String(id - 1))]))
    const topOf = topFinder(turn)
    const tops = new Set(Array.from({ length }, (_, id) => topOf(String(id))))
    expect([...tops]).toEqual(['0'])
  })

  test('terminate on cycles of parents', () => {
    const turn = new Map([
      ['a', span('b')],
      ['b', span('a')],
      ['c', span('c')],
    ])
    const topOf = topFinder(turn)
    expect(turn.has(topOf('a'))).toBe(true)
    expect(topOf('c')).toBe('c')
  })

  test('are evicted, least recently extended first', () => {
    const openTurns = new OpenTurns()
    const fill = (trace: string, from: number, to: number) => {
      const turn = openTurns.open(trace)
      for (let id = from; id < to; id++) openTurns.put(turn, String(id), span(null))
    }
    const half = telemetryLimits.turnSpansMax / 2
    fill('first', 0, half - 1)
    fill('second', 0, half)
    fill('first', half - 1, half)
    // Existing entries take no additional room.
    fill('first', 0, half)
    openTurns.shrink()
    expect(['first', 'second'].map((trace) => openTurns.has(trace))).toEqual([true, true])
    fill('third', 0, 1)
    openTurns.shrink()
    expect(['first', 'second', 'third'].map((trace) => openTurns.has(trace))).toEqual([true, false, true])
    fill('huge', 0, telemetryLimits.turnSpansMax + 1)
    openTurns.shrink()
    expect(openTurns.isEmpty).toBe(true)
  })
})
