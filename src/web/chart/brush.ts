import type { Span } from './span.ts'

/** A brush is moved and widened in buckets, within a span. */
export interface BrushGrid extends Span {
  readonly step: number
  /** Where any bucket begins: the first one may be cut off. */
  readonly origin: number
}

/** The selection moved by a number of buckets; it stays whole at the ends. */
export function movedBrush(selection: Span | undefined, by: number, grid: BrushGrid): Span {
  const { from, to } = selection ?? firstBrush(grid)
  if (!selection) return { from, to }
  const length = to - from
  const next = Math.min(grid.to - length, Math.max(grid.from, from + by * grid.step))
  return { from: next, to: next + length }
}

/** The selection with its end moved by a number of buckets; at least one bucket is left. */
export function widenedBrush(selection: Span | undefined, by: number, grid: BrushGrid): Span {
  const { from, to } = selection ?? firstBrush(grid)
  if (!selection) return { from, to }
  return { from, to: Math.min(grid.to, Math.max(from + grid.step, to + by * grid.step)) }
}

/** The selection between two places of the pointer, to whole buckets. */
export function draggedBrush(one: number, other: number, grid: BrushGrid): Span {
  const [low, high] = one < other ? [one, other] : [other, one]
  const { origin, step } = grid
  const from = origin + Math.floor((low - origin) / step) * step
  const to = origin + Math.ceil((high - origin) / step) * step
  return { from: Math.max(grid.from, from), to: Math.min(grid.to, Math.max(to, from + grid.step)) }
}

/** The last tenth of the span, where the keys begin. */
function firstBrush({ from, to, step }: BrushGrid): Span {
  const length = Math.max(step, Math.round((to - from) / 10 / step) * step)
  return { from: Math.max(from, to - length), to }
}
