import { endOf, type Skeleton } from '../skeleton.ts'

/**
 * Marks the calls that the duration of the trace depends on: going back from the end of a call,
 * the child that ended last, then the child that ended last before that one started, and so on.
 */
export function criticalPath(skeleton: Skeleton, now: number): Uint8Array {
  const { size, start } = skeleton
  const marked = new Uint8Array(size)
  const pending: { readonly row: number; readonly until: number }[] = []
  const last = lastRoot(skeleton, now)
  if (last >= 0) pending.push({ row: last, until: endOf(skeleton, last, now) })
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { row } = next
    marked[row] = 1
    let until = next.until
    const byEnd = childrenOf(skeleton, row).sort((a, b) => endOf(skeleton, b, now) - endOf(skeleton, a, now))
    for (const child of byEnd) {
      // A child that outlives its parent counts up to the end of the parent.
      const end = Math.min(endOf(skeleton, child, now), next.until)
      if (end > until || start(child) >= until) continue
      pending.push({ row: child, until: end })
      until = start(child)
    }
  }
  return marked
}

/** Direct children that are loaded, by start. */
function childrenOf({ end }: Skeleton, row: number): number[] {
  const children: number[] = []
  for (let child = row + 1; child < end(row); child = end(child)) children.push(child)
  return children
}

function lastRoot(skeleton: Skeleton, now: number): number {
  let last = -1
  for (let row = 0; row < skeleton.size; row = skeleton.end(row)) {
    if (last < 0 || endOf(skeleton, row, now) > endOf(skeleton, last, now)) last = row
  }
  return last
}
