import { storageLimits } from '../../lib/limits/storage.ts'
import { ErasedHistory } from '../delta/erased-history.ts'
import type { FileWriteContext } from './file-write-context.ts'

/** Removes what has been erased from the history of one table, once it may go. */
export class HistoryUpkeep {
  private readonly context: FileWriteContext
  private readonly history: ErasedHistory
  private running: Promise<void> | undefined
  private notBeforeMs = 0
  private isClosed = false

  constructor(context: FileWriteContext) {
    this.context = context
    this.history = new ErasedHistory(context.commits.deltaLog, context.layers.layout.deltaLog)
  }

  /** Called by a timer. */
  async runIfDue(): Promise<void> {
    const { clock, flushLock, commits } = this.context
    const nowMs = clock.nowMs()
    if (this.running !== undefined || this.isClosed || nowMs < this.notBeforeMs) return
    if (!this.history.isDue || commits.refusal !== undefined) return
    this.notBeforeMs = nowMs + storageLimits.erasedHistoryCheckMs
    this.running = flushLock.run(() => this.forget())
    try {
      await this.running
    } finally {
      this.running = undefined
    }
  }

  /** Waits for the work in progress and prevents more. */
  async close(): Promise<void> {
    this.isClosed = true
    // The caller of that run receives its failure.
    await this.running?.catch(() => {})
  }

  /** Requires the flush lock: a flush commits and writes checkpoints too. */
  private async forget(): Promise<void> {
    if (this.isClosed) return
    const { flusher, retention, clock } = this.context
    const checkpointPauseMs = storageLimits.erasedCheckpointPauseMs
    await this.history.forget(flusher, { ...retention, nowMs: clock.nowMs(), checkpointPauseMs })
  }
}
