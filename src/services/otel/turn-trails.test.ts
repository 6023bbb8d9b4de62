import { describe, expect, test } from 'bun:test'
import { limits } from '../../limits.ts'
import { type TrailSpan, TurnTrails, topOfThread } from './turn-trails.ts'

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
    expect(topOfThread(trail, 'chat')).toBe('agent')
    expect(topOfThread(trail, 'other')).toBe('other')
    expect(topOfThread(trail, 'agent')).toBe('agent')
  })

  test('end where spans are each other’s parent', () => {
    const trail = new Map([
      ['a', span('b')],
      ['b', span('a')],
      ['c', span('c')],
    ])
    expect(trail.has(topOfThread(trail, 'a'))).toBe(true)
    expect(topOfThread(trail, 'c')).toBe('c')
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
