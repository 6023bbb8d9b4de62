import { itemAt } from '../../lib/present.ts'
import { TimeSlice } from '../../runtime/platform/event-loop.ts'

/** The shape of a trace. Calls are numbered by start; -1 means none. */
export interface TraceTree {
  readonly parent: Int32Array
  readonly depth: Int32Array
  readonly childCount: Int32Array
  /** All calls, depth first, siblings by start. */
  readonly order: Int32Array
}

/**
 * Arranges calls, given by start, as a tree. Calls whose parent is not among them are roots, and so
 * is the first call of a cycle.
 */
export async function arrangeTree(ids: readonly string[], parentIds: readonly (string | null)[]): Promise<TraceTree> {
  const slice = new TimeSlice()
  const numbers = new Map<string, number>()
  for (let call = 0; call < ids.length; call++) {
    numbers.set(itemAt(ids, call), call)
    if (slice.expired) await slice.yield()
  }
  const parent = new Int32Array(ids.length).fill(-1)
  const firstChild = new Int32Array(ids.length).fill(-1)
  const nextSibling = new Int32Array(ids.length).fill(-1)
  // From the last to the first, so that each becomes the first child of its parent.
  for (let call = ids.length - 1; call >= 0; call--) {
    const parentId = parentIds[call]
    const above = parentId === null || parentId === undefined ? undefined : numbers.get(parentId)
    if (above === undefined) continue
    parent[call] = above
    nextSibling[call] = itemAt(firstChild, above)
    firstChild[above] = call
    if (slice.expired) await slice.yield()
  }
  const depth = new Int32Array(ids.length).fill(-1)
  const order = new Int32Array(ids.length)
  const stack = new Int32Array(ids.length)
  let placed = 0
  const place = async (root: number) => {
    parent[root] = -1
    depth[root] = 0
    let height = 0
    stack[height++] = root
    while (height > 0) {
      const call = itemAt(stack, --height)
      order[placed++] = call
      const from = height
      for (let child = itemAt(firstChild, call); child !== -1; child = itemAt(nextSibling, child)) {
        // The root of a cycle is also the child of one of its descendants.
        if (depth[child] !== -1) continue
        depth[child] = itemAt(depth, call) + 1
        stack[height++] = child
      }
      stack.subarray(from, height).reverse()
      if (slice.expired) await slice.yield()
    }
  }
  for (let call = 0; call < ids.length; call++) if (parent[call] === -1) await place(call)
  for (let call = 0; placed < ids.length; call++) if (depth[call] === -1) await place(call)
  const childCount = new Int32Array(ids.length)
  for (const above of parent) if (above !== -1) childCount[above] = itemAt(childCount, above) + 1
  return { parent, depth, childCount, order }
}
