import { type Column, columnOf, endOf, type Skeleton } from '../skeleton.ts'

/** Milliseconds of each call in which none of its children ran. */
export function selfTimes(skeleton: Skeleton, now: number): Column<number> {
  const { size, parent, start } = skeleton
  const self = new Float64Array(size)
  // Calls that the current one is in, the topmost first, with the end of their children seen so
  // far: siblings are sorted by start, so one pass unites them.
  const open: { readonly row: number; readonly end: number; covered: number; time: number }[] = []
  const closeTo = (above: number) => {
    for (let last = open.at(-1); last && last.row !== above; last = open.at(-1)) {
      self[last.row] = Math.max(0, last.time)
      open.pop()
    }
    return open.at(-1)
  }
  for (let row = 0; row < size; row++) {
    const above = closeTo(parent(row))
    const end = endOf(skeleton, row, now)
    const time = end - start(row)
    open.push({ row, end, covered: start(row), time })
    if (!above) continue
    const from = Math.max(start(row), above.covered)
    const to = Math.min(end, above.end)
    if (to <= from) continue
    above.time -= to - from
    above.covered = to
  }
  closeTo(-1)
  return columnOf(self)
}
