import { storageLimits } from '../../lib/limits/storage.ts'
import { delay } from '../../runtime/platform/event-loop.ts'
import type { Memtable } from '../memtable/memtable.ts'

const checkMs = 50

/** What matters of the rows in memory. */
interface RowsInMemory {
  readonly layers: {
    readonly active: Pick<Memtable, 'bytes' | 'dirtyBytes' | 'rows'>
    /** What is being flushed. */
    readonly sealed: object | undefined
  }
  /** Bytes of rows at which a memtable is flushed. */
  readonly memtableBytesMax: number
}

/**
 * Whether a memtable is being flushed while the next one is already half full: other work should
 * leave the processors to the flush, before writers have to wait for it. See
 * docs/decisions/278-flushes-beside-compaction.md.
 */
export function isFlushBehind({ layers, memtableBytesMax }: RowsInMemory): boolean {
  const { active, sealed } = layers
  const isHalfFull =
    active.bytes + active.dirtyBytes > memtableBytesMax / 2 || active.rows > storageLimits.memtableRowsMax / 2
  return sealed !== undefined && isHalfFull
}

/** Waits until no flush is behind, but not for ever: a flush may fail, or the store close. */
export async function letFlushPass(rows: RowsInMemory, isClosed: () => boolean): Promise<void> {
  for (let waitedMs = 0; waitedMs < storageLimits.flushPassesMsMax; waitedMs += checkMs) {
    if (isClosed() || !isFlushBehind(rows)) return
    await delay(checkMs)
  }
}
