import { endOf, type Skeleton } from '../skeleton.ts'

/** Milliseconds of each call in which none of its children ran. */
export function selfTimes(skeleton: Skeleton, now: number): Float64Array {
  const { size, parent, start } = skeleton
  const self = new Float64Array(size)
  // End of the children seen so far: siblings are sorted by start, so one pass unites them.
  const covered = Float64Array.from(start)
  for (let row = 0; row < size; row++) {
    self[row] = self[row]! + endOf(skeleton, row, now) - start[row]!
    const above = parent[row]!
    if (above < 0) continue
    const from = Math.max(start[row]!, covered[above]!)
    const to = Math.min(endOf(skeleton, row, now), endOf(skeleton, above, now))
    if (to <= from) continue
    self[above] = self[above]! - (to - from)
    covered[above] = to
  }
  return self.map((time) => Math.max(0, time))
}
