import { storageLimits } from '../../lib/limits/storage.ts'
import type { Memtable } from '../memtable/memtable.ts'

/** All dirty rows, incomplete ones included, may take this many times what triggers a drain. */
const backlogFactor = 8

/**
 * Whether writers have to wait until rows have been drained. This bounds how long a reader waits
 * for the drain, more tightly while a reader is waiting.
 */
export function isBacklogFull(memtable: Memtable, readersWaiting: number): boolean {
  const { dirtyBytes, incomplete, drainableRows } = memtable
  const { dirtyBytesMax, dirtyRowsMax, readerWaitsForRows } = storageLimits
  if (readersWaiting > 0 && drainableRows > readerWaitsForRows) return true
  const isMuchMovable = drainableRows > 2 * dirtyRowsMax || dirtyBytes - incomplete.bytes > 2 * dirtyBytesMax
  return isMuchMovable || dirtyBytes > backlogFactor * dirtyBytesMax
}
