import { limits } from '../../limits.ts'
import type { Segment } from '../data-files/segment.ts'
import { chooseAnyFiles, chooseFiles } from './choose-files.ts'
import { compactFiles } from './compact.ts'
import type { FileChange } from './file-commits.ts'
import type { FileWriting } from './file-writing.ts'
import { redoneWhereReplaced } from './files-replaced.ts'
import type { TableLayers } from './table-layers.ts'

/** Bounds the number of files of one table: puts small ones together where many have piled up, and so the commits of its Delta log. */
export class Compactor {
  private readonly layers: TableLayers
  private readonly writing: FileWriting
  private running: Promise<void> | undefined
  private isClosed = false
  private notBeforeMs = 0
  readonly figures = { compactions: 0, compactionFailures: 0 }

  constructor(writing: FileWriting) {
    this.layers = writing.layers
    this.writing = writing
  }

  /** One step, where one is due. Called by a timer, so further steps follow; after a failure it waits a while. */
  async compactIfDue(): Promise<void> {
    if (this.running !== undefined || this.writing.clock.nowMs() < this.notBeforeMs) return
    await this.run(chooseFiles)
  }

  /** Puts all files together that are not full. */
  async compactAll(): Promise<void> {
    while (this.running !== undefined) await this.running
    while (await this.run(chooseAnyFiles));
  }

  /** Waits for the step under way; no other begins. */
  async close(): Promise<void> {
    this.isClosed = true
    // Whoever began it hears of its failure.
    await this.running?.catch(() => {})
  }

  /** @returns whether there was something to do */
  private async run(choose: typeof chooseFiles): Promise<boolean> {
    const { table } = this.layers
    const isDue = choose(table, this.layers.intact) !== undefined || this.writing.commits.deltaLog.isCheckpointDue
    if (this.isClosed || !isDue || this.writing.commits.refusal !== undefined) return false
    this.running = redoneWhereReplaced(
      () => this.writing.flushLock.run(() => this.step(choose)),
      () => this.writing.commits.follow(),
    )
    try {
      await this.running
    } catch (cause) {
      this.notBeforeMs = this.writing.clock.nowMs() + limits.compactionRetryMs
      this.figures.compactionFailures++
      throw cause
    } finally {
      this.running = undefined
    }
    return true
  }

  /** Under the lock on flushes, without which files change. */
  private async step(choose: typeof chooseFiles): Promise<void> {
    if (this.isClosed) return
    const chosen = choose(this.layers.table, this.layers.intact)
    if (chosen !== undefined && !(await this.hasDamage(chosen))) await this.compact(chosen)
    const { commits, flusher, logKeptMs, clock } = this.writing
    if (commits.deltaLog.isCheckpointDue)
      await commits.deltaLog.checkpoint(flusher, { nowMs: clock.nowMs(), logKeptMs })
  }

  /** Reads files before their rows go on into another one. Those that are damaged are not chosen again. */
  private async hasDamage(chosen: readonly Segment[]): Promise<boolean> {
    let found = false
    for (const segment of chosen) if (await this.layers.damaged.check(segment, this.writing.log)) found = true
    return found
  }

  private async compact(chosen: readonly Segment[]): Promise<void> {
    const { layers, commits, flusher: writer } = this.writing
    const { table, layout } = layers
    const nowMs = this.writing.clock.nowMs()
    const publish = (change: FileChange<Segment>) =>
      this.writing.layersLock.run(async () => layers.files.replace(change))
    const change = await compactFiles(commits, { writer, table, layout, chosen, nowMs, publish })
    if (change === undefined) return
    await layers.retired.sweep()
    this.figures.compactions++
    this.writing.log.info({ merged: chosen.length, files: change.segments.length }, 'put small files together')
  }
}
