import { memberOf } from '../../lib/present.ts'
import type { ObjectStore } from '../../runtime/objects/object-store.ts'
import { findObject } from '../../runtime/objects/put-own.ts'

/** Written by a standby, so that the holder that leaves knows that there is one. */
const successorName = 'lease-next'

/** A node that will take a lease over, as the holder that leaves finds it. */
export type SuccessorState = 'none' | 'preparing' | 'ready'

/** Tells the holder of a lease that this node will take it over. */
export async function announceSuccessor(
  store: ObjectStore,
  { holder, node, isReady }: { readonly holder: string; readonly node: string; readonly isReady: boolean },
): Promise<void> {
  await store.put(successorName, new TextEncoder().encode(`${JSON.stringify({ format: 1, holder, node, isReady })}\n`))
}

/** Whether a node has said that it will take a lease over from this holder. */
export async function findSuccessor(store: ObjectStore, holder: string): Promise<SuccessorState> {
  const found = await findObject(store, successorName)
  if (found === undefined) return 'none'
  try {
    const record: unknown = JSON.parse(new TextDecoder().decode(found.bytes))
    if (memberOf(record, 'holder') !== holder) return 'none'
    return memberOf(record, 'isReady') === true ? 'ready' : 'preparing'
  } catch {
    // It only makes a hand-over faster.
    return 'none'
  }
}
