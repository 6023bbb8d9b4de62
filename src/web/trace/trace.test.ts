import { describe, expect, test } from 'bun:test'
import { type SampleCall, sampleTrace } from './sample-trace.ts'
import { ancestorsOf, nameOf, rowOf, skeletonOf, traceLength } from './skeleton.ts'
import { criticalPath } from './timeline/critical-path.ts'
import { flameLayout } from './timeline/flame-layout.ts'
import { minimapPixels, stretches } from './timeline/minimap.tsx'
import { selfTimes } from './timeline/self-time.ts'
import { groupByOp } from './tree/by-op.ts'
import { lineOf, lineTypes, runLengthMin, treeLines } from './tree/tree.ts'
import { mergeTrace } from './use-trace.ts'

const leaf = (id: string, start: number, end: number, more: Partial<SampleCall> = {}): SampleCall => ({
  id,
  start,
  end,
  ...more,
})
const agent: SampleCall = leaf('agent', 0, 100, {
  children: [
    leaf('turn', 0, 60, { children: [leaf('plan', 0, 20), leaf('search', 20, 50), leaf('guard', 10, 30)] }),
    leaf('answer', 60, 95, { status: 'error' }),
  ],
})
const skeleton = skeletonOf(sampleTrace(agent))
const noFolds = { closed: new Set<string>(), openRuns: new Set<string>() }
const values = <Value>(column: (row: number) => Value, length: number) =>
  Array.from({ length }, (_, row) => column(row))
const names = (rows: Iterable<number>, of = skeleton) => [...rows].map((row) => nameOf(of, row))

describe('skeleton', () => {
  test('knows where the descendants of a call end', () => {
    expect(values(skeleton.end, skeleton.size)).toEqual([6, 5, 3, 4, 5, 6])
    expect(names(ancestorsOf(skeleton, rowOf(skeleton, 'search')))).toEqual(['agent', 'turn'])
  })

  test('ends running calls now', () => {
    const running = skeletonOf(sampleTrace({ id: 'agent', start: 0, end: null, children: [leaf('plan', 0, 10)] }))
    expect(traceLength(running, 250)).toBe(250)
  })
})

describe('tree lines', () => {
  test('leave the descendants of a closed call out', () => {
    const lines = treeLines(skeleton, { ...noFolds, closed: new Set(['turn']) })
    expect(names(values(lines.row, lines.length))).toEqual(['agent', 'turn', 'answer'])
    expect(lineOf(skeleton, lines, rowOf(skeleton, 'search'))).toBe(1)
    expect(lineOf(skeleton, lines, rowOf(skeleton, 'answer'))).toBe(2)
  })

  test('fold runs of equal siblings and open them', () => {
    const calls = Array.from({ length: 40 }, (_, index) =>
      leaf(`llm-${index}`, index, index + 1, { op: 'llm', status: index === 30 ? 'error' : 'success' }),
    )
    const many = skeletonOf(sampleTrace(leaf('agent', 0, 40, { children: calls })))
    const folded = treeLines(many, noFolds)
    expect(folded.length).toBe(1 + 1 + 1 + 9)
    expect([folded.type(1), folded.count(1)]).toEqual([lineTypes.run, 30])
    expect(lineOf(many, folded, rowOf(many, 'llm-7'))).toBe(1)
    const open = treeLines(many, { ...noFolds, openRuns: new Set(['llm-0']) })
    expect(open.length).toBe(41)
    expect(runLengthMin).toBeGreaterThan(9)
  })

  test('say how many children are not loaded, after those that are', () => {
    const partial = skeletonOf(
      sampleTrace(
        leaf('agent', 0, 9, {
          children: [leaf('turn', 0, 5, { missing: 7, children: [leaf('a', 0, 1)] }), leaf('b', 5, 9)],
        }),
      ),
    )
    const lines = treeLines(partial, noFolds)
    expect(names(values(lines.row, lines.length), partial)).toEqual(['agent', 'turn', 'a', 'turn', 'b'])
    expect([lines.type(3), lines.count(3)]).toEqual([lineTypes.more, 7])
    expect([0, 1, 2, 3].map((row) => lineOf(partial, lines, row))).toEqual([0, 1, 2, 4])
  })

  test('take 100,000 calls, 200 deep', () => {
    const answer = sampleTrace(wideAndDeep(500, 200))
    const large = skeletonOf(answer)
    const lines = treeLines(large, noFolds)
    expect(lines.length).toBe(100_001)
    expect(criticalPath(large, 0).length).toBe(100_001)
    expect(flameLayout(large, 0).length).toBe(201)
    expect(groupByOp(large, 0).length).toBe(201)
    expect(minimapPixels(large, 1000, 1e6, 0).lanes.length).toBe(3)
  })
})

test('critical path follows the child that ended last', () => {
  const path = criticalPath(skeleton, 0)
  const marked = [...path.keys()].filter((row) => path[row])
  expect(names(marked)).toEqual(['agent', 'turn', 'plan', 'search', 'answer'])
})

test('self time leaves out what children cover, overlaps once', () => {
  expect(values(selfTimes(skeleton, 0), skeleton.size)).toEqual([5, 10, 20, 30, 20, 35])
})

test('groups by op add up durations, errors and self time', () => {
  const [first, second] = groupByOp(skeleton, 0)
  expect(first).toMatchObject({ name: 'answer', calls: 1, errors: 1, self: 35, p95: 35 })
  expect(second).toMatchObject({ name: 'search', self: 30, tokens: Number.NaN })
})

test('groups by op leave out usage that is counted in other calls', () => {
  const answer = sampleTrace(leaf('agent', 0, 40, { children: [leaf('answer', 0, 10)] }))
  const stated = skeletonOf({
    ...answer,
    tokens_in: [50, 40],
    cost: [0.5, 0.4],
    is_usage_repeated: [true, false],
  })
  const byName = Object.fromEntries(groupByOp(stated, 0).map(({ name, tokens, cost }) => [name, [tokens, cost]]))
  expect(byName).toEqual({ agent: [Number.NaN, Number.NaN], answer: [40, 0.4] })
})

test('an op is one group and one box, whatever kinds its calls have', () => {
  const mixed = skeletonOf(
    sampleTrace(
      leaf('agent', 0, 40, {
        children: [
          leaf('t1', 0, 10, { op: 'search', kind: 'function' }),
          leaf('t2', 10, 20, { op: 'search', kind: 'tool' }),
          leaf('t3', 20, 30, { op: 'search', kind: 'tool' }),
        ],
      }),
    ),
  )
  const groups = groupByOp(mixed, 0).filter(({ name }) => name === 'search')
  expect(groups.map(({ kind, calls, total }) => [kind, calls, total])).toEqual([['tool', 3, 30]])
  expect(flameLayout(mixed, 0).map(({ name, calls }) => [name, calls])).toEqual([
    ['agent', 1],
    ['search', 3],
  ])
})

test('flame boxes of one path are merged and stay within their parents', () => {
  const twice = skeletonOf(
    sampleTrace(
      leaf('agent', 0, 40, { children: [leaf('t1', 0, 20, { op: 'tool' }), leaf('t2', 20, 30, { op: 'tool' })] }),
    ),
  )
  const boxes = flameLayout(twice, 0)
  expect(boxes.map(({ name, calls, time }) => [name, calls, time])).toEqual([
    ['agent', 1, 40],
    ['tool', 2, 30],
  ])
  expect(boxes[1]).toMatchObject({ left: 0, width: 0.75, slowest: 20 })
})

test('the minimap paints parents, leaves and errors', () => {
  const { lanes, errors } = minimapPixels(skeleton, 100, 100, 0)
  expect(stretches(lanes[0]!)).toEqual([{ from: 0, to: 100, value: 1 }])
  expect(stretches(lanes[1]!)).toEqual([
    { from: 0, to: 50, value: 1 },
    { from: 60, to: 95, value: 1 },
  ])
  expect(stretches(errors)).toEqual([{ from: 60, to: 95, value: 1 }])
})

function wideAndDeep(width: number, depth: number): SampleCall {
  const children: SampleCall[] = []
  for (let branch = 0; branch < width; branch++) {
    let call = leaf(`${branch}-${depth}`, branch, branch + 1, { op: `op-${depth}` })
    for (let level = depth - 1; level > 0; level--) {
      call = leaf(`${branch}-${level}`, branch, branch + 1, { op: `op-${level}`, children: [call] })
    }
    children.push(call)
  }
  return leaf('root', 0, width, { children })
}

test('what comes later joins the trace in its place', () => {
  const running = sampleTrace({
    id: 'agent',
    start: 0,
    end: null,
    children: [{ id: 'plan', start: 0, end: null }, leaf('b', 30, 40)],
  })
  const more = sampleTrace({
    id: 'agent',
    start: 0,
    end: null,
    children: [leaf('plan', 0, 20), leaf('a', 20, 25, { status: 'error' })],
  })
  const merged = skeletonOf(mergeTrace(running, more, null))
  expect(names(Array(merged.size).keys(), merged)).toEqual(['agent', 'plan', 'a', 'b'])
  expect(values(merged.duration, merged.size)).toEqual([Number.NaN, 20, 5, 10])
  expect(merged.statuses[merged.status(2)]).toBe('error')
  const below = mergeTrace(running, sampleTrace(leaf('b1', 31, 33), leaf('b2', 33, 34)), 'b')
  expect([below.call_ids, below.parent, below.depth]).toEqual([
    ['agent', 'plan', 'b', 'b1', 'b2'],
    [-1, 0, 0, 2, 2],
    [0, 1, 1, 2, 2],
  ])
})
