import { storageLimits } from '../../lib/limits/storage.ts'
import type { DataFile } from '../data-files/data-file.ts'
import { parquetSource } from '../data-files/open-data-files.ts'
import { rewriteRows } from '../data-files/rewrite-rows.ts'
import { writeDataFile } from '../data-files/write-data-file.ts'
import { type Action, commitInfo } from '../delta/actions.ts'
import { selectCold, selectForSplit } from './cold-files.ts'
import { fileActions, replaceFiles } from './commit-files.ts'
import { isCold, selectAnySmall, selectForCompaction } from './compaction-policy.ts'
import type { CommittedFile, FilePlan } from './file-commits.ts'
import type { FileWriteContext } from './file-write-context.ts'
import { letFlushPass } from './flush-pressure.ts'
import { retryIfReplaced } from './replaced-files.ts'
import type { TableLayers } from './table-layers.ts'
import { Upkeep } from './upkeep.ts'

/** The actions of a compaction commit. */
export const compactionActions = (plan: FilePlan<CommittedFile>, nowMs: number): Action[] => [
  commitInfo('OPTIMIZE', {}, nowMs),
  ...fileActions(plan, nowMs, false),
]

/** A step was given up because the store closes. Another process begins it again. */
class Stopped extends Error {
  constructor() {
    super('Merge cold files: the store is being closed')
  }
}

/** What a copy of files takes on the disk, with its index and a part in progress. */
const copyShare = 1.25

/** Selects the files of a step. */
type Choose = () => readonly DataFile[] | undefined

/**
 * Bounds the number of files of one table by merging small ones, and those of days that are over,
 * and the number of its Delta commits by writing checkpoints. See docs/decisions/057-compaction.md
 * and docs/decisions/309-cold-files.md.
 */
export class Compactor extends Upkeep {
  readonly what = 'compaction'
  protected readonly isDue = true
  private readonly layers: TableLayers
  private coldCheckMs = 0
  readonly stats = { compactions: 0, compactionFailures: 0 }

  constructor(context: FileWriteContext) {
    super(context, { retryMs: storageLimits.compactionRetryMs })
    this.layers = context.layers
  }

  /** Merges all files that are not full. */
  async compactAll(): Promise<void> {
    await this.run(async () => {
      while (await this.compactOnce(() => selectAnySmall(this.layers.table, this.layers.intact)));
    })
  }

  /** One step. Those after it follow when the timer asks again. */
  protected async work(): Promise<void> {
    const { clock } = this.context
    const { table } = this.layers
    if (await this.compactOnce(() => selectForCompaction(table, this.layers.intact))) return
    if (clock.nowMs() < this.coldCheckMs) return
    this.coldCheckMs = clock.nowMs() + storageLimits.coldCheckMs
    // More steps follow without a pause.
    const hasChanged = (await this.splitIfDue()) || (await this.compactOnce(() => this.selectCold(), { isLong: true }))
    if (hasChanged) this.coldCheckMs = 0
  }

  private selectCold(): readonly DataFile[] | undefined {
    const { clock, coldBytesMax: bytesMax } = this.context
    return selectCold(this.layers.table, this.layers.intact, { bytesMax, nowMs: clock.nowMs() })
  }

  private async splitIfDue(): Promise<boolean> {
    const due = await selectForSplit(this.layers, this.context.clock.nowMs())
    if (due === undefined) return false
    const isThere = () => (this.layers.intact.includes(due) ? [due] : undefined)
    return await this.compactOnce(isThere, { isLong: true })
  }

  /** @returns whether there was something to do */
  private async compactOnce(choose: Choose, { isLong = false } = {}): Promise<boolean> {
    const { commits, rewriteLock } = this.context
    const chosen = choose()
    const isDue = chosen !== undefined || commits.deltaLog.isCheckpointDue
    if (this.isClosed || !isDue || commits.refusal !== undefined) return false
    if (isLong && !(await this.hasRoomFor(chosen ?? []))) return false
    try {
      await retryIfReplaced(() => rewriteLock.run(() => this.step(choose, isLong)), commits)
    } catch (cause) {
      if (cause instanceof Stopped) return false
      this.stats.compactionFailures++
      throw cause
    }
    return true
  }

  /** Whether the disk has space for another copy of files, with its index. */
  private async hasRoomFor(chosen: readonly DataFile[]): Promise<boolean> {
    const bytes = chosen.reduce((sum, file) => sum + file.bytes, 0) * copyShare
    if (await this.context.hasRoomFor(bytes)) return true
    this.context.log.warn({ bytes }, 'the disk has too little space to merge or split cold files')
    return false
  }

  /** Requires the rewrite lock. */
  private async step(choose: Choose, isLong: boolean): Promise<void> {
    if (this.isClosed) return
    const chosen = choose()
    // A flush may replace some of them meanwhile.
    if (chosen !== undefined) await this.layers.files.hold(() => this.compact(chosen, isLong))
    await this.layers.removeUnneeded()
    const { commits, rewriter, retention, clock } = this.context
    if (commits.deltaLog.isCheckpointDue)
      await commits.deltaLog.checkpoint(rewriter, { ...retention, nowMs: clock.nowMs() })
  }

  private async compact(chosen: readonly DataFile[], isLong: boolean): Promise<void> {
    // Damaged files are not selected again.
    if (await this.layers.damaged.areSome(chosen)) return
    const pause = async () => {
      await letFlushPass(this.context, () => this.isClosed)
      // Other steps are short, and their output would be missed.
      if (isLong && this.isClosed) throw new Stopped()
    }
    await pause()
    const change = await replaceFiles(this.context, chosen, {
      write: () => this.merge(chosen, pause),
      actions: (plan) => compactionActions(plan, this.context.clock.nowMs()),
    })
    if (change === undefined) return
    this.stats.compactions++
    const message = isLong ? 'merged or split cold files' : 'compacted small files'
    this.context.log.info({ merged: chosen.length, files: change.dataFiles.length }, message)
  }

  /** Writes the rows of files as one, or those of a single one again. */
  private async merge(chosen: readonly DataFile[], pause: () => Promise<void>): Promise<readonly DataFile[]> {
    const { layers, rewriter: writer, clock } = this.context
    const { table, layout } = layers
    const rows = { writer, table, layout, source: `${parquetSource(layout, chosen)} t`, nowMs: clock.nowMs(), pause }
    // A single file may have any size. Several files were chosen to fit into one, and would be
    // chosen again if they did not become one.
    if (chosen.length === 1) {
      // A file that is split again and again becomes small.
      return await rewriteRows(rows, { partsMin: chosen.some(isCold) ? 2 : 1 })
    }
    const merged = await writeDataFile(rows)
    return merged === undefined ? [] : [merged]
  }
}
