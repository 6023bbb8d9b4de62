import { storageLimits } from '../../lib/limits/storage.ts'
import { ErasedHistory } from '../delta/erased-history.ts'
import type { FileWriteContext } from './file-write-context.ts'
import { Upkeep } from './upkeep.ts'

/** Removes what has been erased from the history of one table, once it may go. */
export class HistoryUpkeep extends Upkeep {
  readonly what = 'removing erased values from the Delta log'
  private readonly history: ErasedHistory

  constructor(context: FileWriteContext) {
    super(context, { pauseMs: storageLimits.erasedHistoryCheckMs })
    this.history = new ErasedHistory(context.commits.deltaLog, context.layers.layout.deltaLog)
  }

  protected get isDue(): boolean {
    return this.history.isDue
  }

  protected async work(): Promise<void> {
    // A compaction writes checkpoints too.
    await this.context.rewriteLock.run(() => this.forget())
  }

  private async forget(): Promise<void> {
    if (this.isClosed) return
    const { rewriter, retention, clock } = this.context
    const checkpointPauseMs = storageLimits.erasedCheckpointPauseMs
    await this.history.forget(rewriter, { ...retention, nowMs: clock.nowMs(), checkpointPauseMs })
  }
}
