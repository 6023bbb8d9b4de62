import { expect, test } from 'bun:test'
import { type SampleCall, sampleTrace } from '../trace/sample-trace.ts'
import { nameOf, skeletonOf } from '../trace/skeleton.ts'
import { alignTrees, isDifferent, type Side } from './align.ts'

const side = (...children: (string | SampleCall)[]): Side => {
  const calls = children.map(
    (child, index): SampleCall =>
      typeof child === 'string' ? { id: `${child}-${index}`, op: child, start: index, end: index + 1 } : child,
  )
  return {
    id: 'x',
    skeleton: skeletonOf(sampleTrace({ id: 'root', op: children.join(), start: 0, end: 100, children: calls })),
    roots: [0],
  }
}

const shown = (sides: readonly Side[]) =>
  alignTrees(sides).map(({ rows }) =>
    rows.map((row, index) => (row < 0 ? '·' : nameOf(sides[index]!.skeleton, row))).join(' '),
  )

test('siblings are aligned by name and order, whatever is missing', () => {
  const sides = [side('llm', 'a', 'llm', 'b', 'llm'), side('llm', 'llm', 'b', 'c', 'llm'), side('llm', 'a', 'llm')]
  expect(shown(sides).slice(1)).toEqual(['llm llm llm', 'a · a', 'llm llm llm', 'b b ·', '· c ·', 'llm llm ·'])
  const aligned = alignTrees(sides)
  expect(aligned.map((row) => isDifferent(sides, row))).toEqual([false, false, true, false, true, true, true])
})

test('children follow their parents', () => {
  const deep = (op: string): SampleCall => ({
    id: `turn-${op}`,
    op: 'turn',
    start: 0,
    end: 9,
    children: [{ id: op, start: 0, end: 1 }],
  })
  expect(shown([side(deep('x')), side(deep('y'))]).slice(1)).toEqual(['turn turn', 'x ·', '· y'])
})
