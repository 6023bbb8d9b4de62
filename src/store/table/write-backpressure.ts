import { DomainError } from '../../errors.ts'
import { type Row, rowBytes } from '../../kernel/table.ts'
import { limits } from '../../limits.ts'
import { sleep } from '../../platform/event-loop.ts'

/** How often a waiting writer looks whether there is room. */
const checkMs = 5

/**
 * Holds writers back while memory is full of rows that are on their way to disk, so that a burst that the disk cannot follow becomes
 * slower instead of being refused. Bounded in time and in what may wait.
 */
export class WriteBackpressure {
  private readonly isFull: () => boolean
  private readonly relieve: () => boolean
  private waitingBytes = 0

  constructor(options: {
    isFull: () => boolean
    /** Called again and again while something waits: starts what is not already under way. False where there will be no room. */
    relieve: () => boolean
  }) {
    this.isFull = options.isFull
    this.relieve = options.relieve
  }

  /** @throws DomainError Overloaded where there is no room for too long, or too much is waiting */
  async admit(rows: readonly Row[]): Promise<void> {
    if (!this.isFull()) return
    const bytes = rows.reduce((sum, row) => sum + rowBytes(row), 0)
    const fits = this.waitingBytes + bytes <= limits.backpressureBytesMax
    this.waitingBytes += bytes
    try {
      for (let waitedMs = 0; fits && waitedMs < limits.backpressureWaitMs && this.relieve(); waitedMs += checkMs) {
        await sleep(checkMs)
        if (!this.isFull()) return
      }
    } finally {
      this.waitingBytes -= bytes
    }
    throw new DomainError('Overloaded', 'More is being written than the disk takes; try again in a moment')
  }
}
