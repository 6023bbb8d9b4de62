import { itemAt } from '../../../lib/present.ts'
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
  /** Box of each row; -1 for calls that are left out. */
  const boxOf: number[] = []
  const byPath = new Map<string, number>()
  for (let row = 0; row < size; row++) {
    const above = boxOf[parent(row)] ?? -1
    const path = `${above} ${nameOf(skeleton, row)}`
    let box = byPath.get(path) ?? -1
    if (box < 0 && boxes.length < flameBoxesMax) {
      box = boxes.length
      byPath.set(path, box)
      boxes.push({
        name: nameOf(skeleton, row),
        kind: kindOf(skeleton, row),
        depth: above < 0 ? 0 : itemAt(boxes, above).depth + 1,
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
    boxOf.push(box)
    if (box >= 0) add(itemAt(boxes, box), skeleton, row, self(row), now)
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
  for (const box of boxes.toReversed()) {
    box.time += box.self
    if (box.parent >= 0) itemAt(boxes, box.parent).time += box.time
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
      const before = itemAt(used, box.parent)
      box.left = itemAt(boxes, box.parent).left + before
      used[box.parent] = before + box.width
    }
  }
}
