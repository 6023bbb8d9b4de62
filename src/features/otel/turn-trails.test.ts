import { describe, expect, test } from 'bun:test'
import { limits } from '../../limits.ts'
import { type TrailSpan, TurnTrails, topFinder } from './turn-trails.ts'

const span = (parentId: string | null, threadId: string | null = 'talk'): TrailSpan => ({
  parentId,
  threadId,
  isByPlace: true,
  turnId: null,
})

describe('trails of turns', () => {
  test('lead to the topmost span of the same thread', () => {
    const trail = new Map([
      ['web', span(null, null)],
      ['agent', span('web')],
      ['other', span('agent', 'another')],
      ['chat', span('other')],
    ])
    const topOf = topFinder(trail)
    expect(['chat', 'other', 'agent', 'chat'].map(topOf)).toEqual(['agent', 'other', 'agent', 'agent'])
  })

  test('lead all the way up long chains', () => {
    const length = 100_000
    const trail = new Map(Array.from({ length }, (_, id) => [String(id), span(id === 0 ? null : String(id - 1))]))
    const topOf = topFinder(trail)
    const tops = new Set(Array.from({ length }, (_, id) => topOf(String(id))))
    expect([...tops]).toEqual(['0'])
  })

  test('end where spans are each other’s parent', () => {
    const trail = new Map([
      ['a', span('b')],
      ['b', span('a')],
      ['c', span('c')],
    ])
    const topOf = topFinder(trail)
    expect(trail.has(topOf('a'))).toBe(true)
    expect(topOf('c')).toBe('c')
  })

  test('are forgotten, those first that have not grown for longest', () => {
    const trails = new TurnTrails()
    const fill = (trace: string, from: number, to: number) => {
      const trail = trails.open(trace)
      for (let id = from; id < to; id++) trails.put(trail, String(id), span(null))
    }
    const half = limits.trailSpansMax / 2
    fill('first', 0, half - 1)
    fill('second', 0, half)
    fill('first', half - 1, half)
    // What is there already takes no more room.
    fill('first', 0, half)
    trails.shrink()
    expect(['first', 'second'].map((trace) => trails.has(trace))).toEqual([true, true])
    fill('third', 0, 1)
    trails.shrink()
    expect(['first', 'second', 'third'].map((trace) => trails.has(trace))).toEqual([true, false, true])
    fill('huge', 0, limits.trailSpansMax + 1)
    trails.shrink()
    expect(trails.isEmpty).toBe(true)
  })
})
