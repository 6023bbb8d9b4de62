import { type Column, columnOf, type Skeleton } from '../skeleton.ts'

/** Equal neighbours without children are folded into one line from this many on. */
export const runLengthMin = 12
/** Indentation stops at this depth; deeper rows show their depth as a number. */
export const indentDepthMax = 8

/** Kinds of lines in the tree. */
export const lineTypes = { call: 0, run: 1, more: 2 } as const

/** The lines of a tree from top to bottom, folded parts left out. */
export interface TreeLines {
  readonly length: number
  /** The call; for a run its first call, for missing children their parent. */
  readonly row: Column<number>
  /** A value of `lineTypes`. */
  readonly type: Column<number>
  /** Calls of a run, or children that are not loaded; else 0. */
  readonly count: Column<number>
}

/** Calls that the user unfolded and folded. */
export interface Folds {
  /** Ids of calls whose children are hidden. */
  readonly closed: ReadonlySet<string>
  /** Ids of the first calls of runs whose calls are shown one by one. */
  readonly openRuns: ReadonlySet<string>
}

/** The lines that `folds` leave visible. */
export function treeLines(skeleton: Skeleton, folds: Folds): TreeLines {
  const { size, id, end, childCount } = skeleton
  const limit = size + countIncomplete(skeleton)
  const row = new Int32Array(limit)
  const type = new Int32Array(limit)
  const count = new Int32Array(limit)
  let length = 0
  const add = (of: number, as: number, many: number) => {
    row[length] = of
    type[length] = as
    count[length++] = many
  }
  // Calls whose children are not all loaded get a line after their last descendant.
  const unfinished: number[] = []
  const finishBefore = (next: number) => {
    for (let last = unfinished.at(-1); last !== undefined && end(last) <= next; last = unfinished.at(-1)) {
      add(last, lineTypes.more, missingChildren(skeleton, last))
      unfinished.pop()
    }
  }
  for (let at = 0; at < size; ) {
    finishBefore(at)
    const runEnd = runEndOf(skeleton, at)
    if (runEnd - at >= runLengthMin && !folds.openRuns.has(id(at))) {
      add(at, lineTypes.run, runEnd - at)
      at = runEnd
      continue
    }
    // The calls of an opened run are not looked at again as runs.
    const stop = runEnd - at >= runLengthMin ? runEnd : at + 1
    for (; at < stop; at++) add(at, lineTypes.call, 0)
    const last = at - 1
    if (childCount(last) > 0 && folds.closed.has(id(last))) at = end(last)
    else if (!skeleton.isComplete && missingChildren(skeleton, last) > 0) unfinished.push(last)
  }
  finishBefore(size)
  return { length, row: columnOf(row), type: columnOf(type), count: columnOf(count) }
}

/** Row after a run of leaves with the same parent, op, kind, status, name and model. */
function runEndOf(skeleton: Skeleton, first: number): number {
  const { size, parent, op, kind, status, name, childCount, model, statuses } = skeleton
  if (childCount(first) > 0 || parent(first) < 0 || statuses[status(first)] !== 'success') return first + 1
  let next = first + 1
  while (
    next < size &&
    parent(next) === parent(first) &&
    op(next) === op(first) &&
    childCount(next) === 0 &&
    status(next) === status(first) &&
    kind(next) === kind(first) &&
    model(next) === model(first) &&
    name(next) === name(first)
  ) {
    next++
  }
  return next
}

/** Start of the folded run that a call is in, else the call itself. */
export function runStartOf(skeleton: Skeleton, row: number): number {
  let first = row
  while (first > 0 && runEndOf(skeleton, first - 1) > first) first--
  return runEndOf(skeleton, first) - first >= runLengthMin ? first : row
}

/** Line that shows a row, or the folded line that hides it. */
export function lineOf({ end }: Skeleton, lines: TreeLines, row: number): number {
  const isMore = (line: number) => lines.type(line) === lineTypes.more
  // A line for missing children follows the last descendant of its call.
  const placeOf = (line: number) => (isMore(line) ? end(lines.row(line)) - 1 : lines.row(line))
  let low = 0
  let high = lines.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    if (placeOf(middle) <= row) low = middle + 1
    else high = middle - 1
  }
  while (high > 0 && isMore(high)) high--
  return high
}

/** Children of a call that are not loaded. */
function missingChildren({ childCount, end, parent }: Skeleton, row: number): number {
  let loaded = 0
  for (let child = row + 1; child < end(row); child = end(child)) if (parent(child) === row) loaded++
  return Math.max(0, childCount(row) - loaded)
}

function countIncomplete(skeleton: Skeleton): number {
  if (skeleton.isComplete) return 0
  let calls = 0
  for (let row = 0; row < skeleton.size; row++) if (skeleton.childCount(row) > 0) calls++
  return calls
}
