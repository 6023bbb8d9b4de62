import { limits } from '../../lib/limits.ts'
import type { DataFile } from '../data-files/data-file.ts'
import { compactFiles } from './compact.ts'
import { selectAnySmall, selectForCompaction } from './compaction-policy.ts'
import type { FileChange } from './file-commits.ts'
import type { FileWriteContext } from './file-write-context.ts'
import { retryIfReplaced } from './files-replaced.ts'
import type { TableLayers } from './table-layers.ts'

/**
 * Bounds the number of files of one table by merging small ones, and the number of its Delta
 * commits by writing checkpoints.
 */
export class Compactor {
  private readonly layers: TableLayers
  private readonly context: FileWriteContext
  private running: Promise<void> | undefined
  private isClosed = false
  private notBeforeMs = 0
  readonly stats = { compactions: 0, compactionFailures: 0 }

  constructor(context: FileWriteContext) {
    this.layers = context.layers
    this.context = context
  }

  /**
   * Runs one step if it is due. Called by a timer, so more steps follow; backs off after a failure.
   */
  async compactIfDue(): Promise<void> {
    if (this.running !== undefined || this.context.clock.nowMs() < this.notBeforeMs) return
    await this.run(selectForCompaction)
  }

  /** Merges all files that are not full. */
  async compactAll(): Promise<void> {
    while (this.running !== undefined) await this.running
    while (await this.run(selectAnySmall));
  }

  /** Waits for the step in progress and prevents further ones. */
  async close(): Promise<void> {
    this.isClosed = true
    // The caller of that step receives its failure.
    await this.running?.catch(() => {})
  }

  /** @returns whether there was something to do */
  private async run(choose: typeof selectForCompaction): Promise<boolean> {
    const { table } = this.layers
    const isDue = choose(table, this.layers.intact) !== undefined || this.context.commits.deltaLog.isCheckpointDue
    if (this.isClosed || !isDue || this.context.commits.refusal !== undefined) return false
    this.running = retryIfReplaced(
      () => this.context.flushLock.run(() => this.step(choose)),
      () => this.context.commits.follow(),
    )
    try {
      await this.running
    } catch (cause) {
      this.notBeforeMs = this.context.clock.nowMs() + limits.compactionRetryMs
      this.stats.compactionFailures++
      throw cause
    } finally {
      this.running = undefined
    }
    return true
  }

  /** Requires the flush lock, without which no files change. */
  private async step(choose: typeof selectForCompaction): Promise<void> {
    if (this.isClosed) return
    const chosen = choose(this.layers.table, this.layers.intact)
    if (chosen !== undefined && !(await this.hasDamage(chosen))) await this.compact(chosen)
    const { commits, flusher, retention, clock } = this.context
    if (commits.deltaLog.isCheckpointDue)
      await commits.deltaLog.checkpoint(flusher, { ...retention, nowMs: clock.nowMs() })
  }

  /** Verifies files before their rows go into another one. Damaged files are not selected again. */
  private async hasDamage(chosen: readonly DataFile[]): Promise<boolean> {
    let found = false
    for (const dataFile of chosen) if (await this.layers.damaged.check(dataFile, this.context.log)) found = true
    return found
  }

  private async compact(chosen: readonly DataFile[]): Promise<void> {
    const { layers, commits, flusher: writer } = this.context
    const { table, layout } = layers
    const nowMs = this.context.clock.nowMs()
    const publish = (change: FileChange<DataFile>) =>
      this.context.layersLock.run(async () => layers.files.replace(change))
    const change = await compactFiles(commits, { writer, table, layout, chosen, nowMs, publish })
    if (change === undefined) return
    await layers.deferredDeletes.sweep()
    this.stats.compactions++
    this.context.log.info({ merged: chosen.length, files: change.dataFiles.length }, 'compacted small files')
  }
}
