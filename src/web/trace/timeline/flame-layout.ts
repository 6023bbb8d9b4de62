import { endOf, kindOf, nameOf, type Skeleton } from '../skeleton.ts'
import { selfTimes } from './self-time.ts'

/** Boxes of a flame graph that are kept. */
const flameBoxesMax = 20_000

/** A box of a flame graph: all calls reached by the same path of names. Times in milliseconds. */
export interface FlameBox {
  readonly name: string
  readonly kind: string
  readonly depth: number
  /** Box above, or -1. */
  readonly parent: number
  calls: number
  errors: number
  time: number
  self: number
  /** From 0 to 1 of the whole width. */
  left: number
  width: number
  slowestRow: number
  slowest: number
}

/**
 * Merges the calls of a trace by path of names. The width of a box is the time of its calls and of
 * those below, summed up, so calls that ran side by side are shown one after the other.
 */
export function flameLayout(skeleton: Skeleton, now: number): FlameBox[] {
  const { size, parent } = skeleton
  const self = selfTimes(skeleton, now)
  const boxes: FlameBox[] = []
  const boxOf = new Int32Array(size).fill(-1)
  const byPath = new Map<string, number>()
  for (let row = 0; row < size; row++) {
    const above = parent(row) < 0 ? -1 : boxOf[parent(row)]!
    const path = `${above} ${nameOf(skeleton, row)}`
    let box = byPath.get(path)
    if (box === undefined) {
      if (boxes.length === flameBoxesMax) continue
      box = boxes.length
      byPath.set(path, box)
      boxes.push({
        name: nameOf(skeleton, row),
        kind: kindOf(skeleton, row),
        depth: above < 0 ? 0 : boxes[above]!.depth + 1,
        parent: above,
        calls: 0,
        errors: 0,
        time: 0,
        self: 0,
        left: 0,
        width: 0,
        slowestRow: row,
        slowest: -1,
      })
    }
    boxOf[row] = box
    add(boxes[box]!, skeleton, row, self(row), now)
  }
  place(boxes)
  return boxes
}

function add(box: FlameBox, skeleton: Skeleton, row: number, self: number, now: number): void {
  const time = endOf(skeleton, row, now) - skeleton.start(row)
  box.calls++
  if (skeleton.statuses[skeleton.status(row)] === 'error') box.errors++
  box.self += self
  if (time > box.slowest) {
    box.slowest = time
    box.slowestRow = row
  }
}

function place(boxes: FlameBox[]): void {
  for (let index = boxes.length - 1; index >= 0; index--) {
    const box = boxes[index]!
    box.time += box.self
    if (box.parent >= 0) boxes[box.parent]!.time += box.time
  }
  const total = boxes.reduce((sum, { parent, time }) => sum + (parent < 0 ? time : 0), 0) || 1
  const used = new Float64Array(boxes.length)
  let usedByRoots = 0
  for (const box of boxes) {
    box.width = box.time / total
    if (box.parent < 0) {
      box.left = usedByRoots
      usedByRoots += box.width
    } else {
      box.left = boxes[box.parent]!.left + used[box.parent]!
      used[box.parent] = used[box.parent]! + box.width
    }
  }
}
