import { DomainError } from '../../lib/errors.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import { delay } from '../../runtime/platform/event-loop.ts'
import { type DirtyRow, dirtyBytes, type Memtable } from '../memtable/memtable.ts'
import type { FlushScheduler } from './flush-scheduler.ts'
import type { LogReplay } from './log-replay.ts'
import type { TableLayers } from './table-layers.ts'

/** All dirty rows, incomplete ones included, may take this many times what triggers a drain. */
const backlogFactor = 8

/**
 * Whether writers have to wait until rows have been drained. This bounds how long a reader waits
 * for the drain, more tightly while a reader is waiting.
 */
function isBacklogFull(memtable: Memtable, readersWaiting: number): boolean {
  const { dirtyBytes, incomplete, drainableRows } = memtable
  const { dirtyBytesMax, dirtyRowsMax, readerWaitsForRows } = storageLimits
  if (readersWaiting > 0 && drainableRows > readerWaitsForRows) return true
  const isMuchMovable = drainableRows > 2 * dirtyRowsMax || dirtyBytes - incomplete.bytes > 2 * dirtyBytesMax
  return isMuchMovable || dirtyBytes > backlogFactor * dirtyBytesMax
}

/** How often a waiting writer checks for space. */
const checkMs = 5

/**
 * Delays writers while memory is full of unflushed rows, so that a burst beyond the disk's
 * throughput slows down instead of failing. Bounded in time and in waiting bytes. See
 * docs/decisions/066-bounded-waits.md.
 */
export class WriteBackpressure {
  private readonly isFull: () => boolean
  private readonly relieve: () => boolean
  private waitingBytes = 0

  constructor(options: {
    isFull: () => boolean
    /**
     * Called repeatedly while a writer waits: starts draining unless it is running. Returns false
     * if waiting is pointless.
     */
    relieve: () => boolean
  }) {
    this.isFull = options.isFull
    this.relieve = options.relieve
  }

  /**
   * @throws DomainError Overloaded if space does not become free in time, or too many bytes are
   *   waiting
   */
  async admit(rows: readonly DirtyRow[]): Promise<void> {
    if (!this.isFull()) return
    const bytes = rows.reduce((sum, row) => sum + dirtyBytes(row), 0)
    const fits = this.waitingBytes + bytes <= storageLimits.backpressureBytesMax
    this.waitingBytes += bytes
    try {
      for (
        let waitedMs = 0;
        fits && waitedMs < storageLimits.backpressureWaitMs && this.relieve();
        waitedMs += checkMs
      ) {
        await delay(checkMs)
        if (!this.isFull()) return
      }
    } finally {
      this.waitingBytes -= bytes
    }
    throw new DomainError('Overloaded', 'Too many writes for the disk; try again later')
  }
}

/** The backpressure on writers of one table: full memtables and backlogs, relieved by draining. */
export function backpressureOf({
  layers,
  replay,
  flushScheduler,
  memtableBytesMax,
  readersWaiting,
}: {
  layers: TableLayers
  replay: LogReplay
  flushScheduler: FlushScheduler
  memtableBytesMax: number
  readersWaiting: () => number
}): WriteBackpressure {
  return new WriteBackpressure({
    isFull: () =>
      replay.isFull || layers.active.bytes > 2 * memtableBytesMax || isBacklogFull(layers.active, readersWaiting()),
    relieve: () => {
      if (replay.isRunning) return true
      if (flushScheduler.failure === undefined) flushScheduler.scheduleMaterialize()
      return flushScheduler.failure === undefined
    },
  })
}
