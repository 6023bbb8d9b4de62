import { storageLimits } from '../../lib/limits/storage.ts'
import { type DataFile, needsRewrite } from '../data-files/data-file.ts'
import { rebuildIndexFile } from '../data-files/write-index-file.ts'
import { ErasedHistory } from '../delta/erased-history.ts'
import type { SectionName } from '../index-file/index-file-format.ts'
import { BackgroundRun } from './background-run.ts'
import type { FileWriteContext } from './file-write-context.ts'

/** Removes what has been erased from the history of one table, once it may go. */
export class HistoryUpkeep {
  private readonly context: FileWriteContext
  private readonly history: ErasedHistory
  private readonly background = new BackgroundRun()
  private notBeforeMs = 0

  constructor(context: FileWriteContext) {
    this.context = context
    this.history = new ErasedHistory(context.commits.deltaLog, context.layers.layout.deltaLog)
  }

  /** Called by a timer. */
  async runIfDue(): Promise<void> {
    const { clock, rewriteLock, commits } = this.context
    const nowMs = clock.nowMs()
    if (!this.background.isIdle || nowMs < this.notBeforeMs) return
    if (!this.history.isDue || commits.refusal !== undefined) return
    this.notBeforeMs = nowMs + storageLimits.erasedHistoryCheckMs
    await this.background.run(() => rewriteLock.run(() => this.forget()))
  }

  /** Waits for the work in progress and prevents more. */
  close(): Promise<void> {
    return this.background.close()
  }

  /** Requires the rewrite lock: a compaction writes checkpoints too. */
  private async forget(): Promise<void> {
    if (this.background.isClosed) return
    const { rewriter, retention, clock } = this.context
    const checkpointPauseMs = storageLimits.erasedCheckpointPauseMs
    await this.history.forget(rewriter, { ...retention, nowMs: clock.nowMs(), checkpointPauseMs })
  }
}

/**
 * Maintains the indexes of one table in the background: rebuilds index files that are damaged,
 * missing or incomplete (for files of other engines or earlier versions), and merges files into
 * groups.
 */
export class IndexMaintenance {
  private readonly context: FileWriteContext
  private readonly background = new BackgroundRun()
  private notBeforeMs = 0

  constructor(context: FileWriteContext) {
    this.context = context
  }

  /** Runs the maintenance that is due. Called by a timer; backs off after a failure. */
  async runIfDue(): Promise<void> {
    if (!this.background.isIdle || this.context.commits.refusal !== undefined) return
    if (this.context.clock.nowMs() < this.notBeforeMs) return
    try {
      await this.background.run(() => this.run())
    } catch (cause) {
      this.notBeforeMs = this.context.clock.nowMs() + storageLimits.indexRetryMs
      throw cause
    }
  }

  /** Waits for the step in progress and prevents further ones. */
  close(): Promise<void> {
    return this.background.close()
  }

  private async run(): Promise<void> {
    const { files, intact, keyIndex, rollups } = this.context.layers
    for (const [dataFile, renewed] of await this.incomplete(intact)) {
      if (this.background.isClosed) return
      await this.context.rewriteLock.run(() => this.renew(dataFile, renewed))
    }
    if (!this.background.isClosed) await rollups.update(intact)
    // Files that are replaced meanwhile stay, or their hashes could not be read to the end.
    const regroup = () => files.hold(() => keyIndex.regroup(files.dataFiles))
    while (!this.background.isClosed && (await regroup()));
  }

  /** Data files whose index lacks sections, with these. Indexes are not fetched for that. */
  private async incomplete(dataFiles: readonly DataFile[]): Promise<Map<DataFile, Set<SectionName>>> {
    const { table, keyIndex, textFilters, rollups, valueIndexes } = this.context.layers
    const found = new Map<DataFile, Set<SectionName>>()
    const note = (name: SectionName, without: readonly DataFile[]) => {
      for (const dataFile of without) found.set(dataFile, (found.get(dataFile) ?? new Set()).add(name))
    }
    note('keys', await keyIndex.filesWithoutKeyFile(dataFiles))
    // These are rewritten soon, unless another engine takes their deletion vectors away.
    const lasting = (without: readonly DataFile[]) => without.filter((dataFile) => !needsRewrite(dataFile))
    if ((table.searched ?? []).length > 0) note('texts', lasting(await textFilters.filesWithout(dataFiles)))
    note('rollup', lasting(await rollups.filesWithout(dataFiles)))
    note('values', lasting(await valueIndexes.filesWithout(dataFiles)))
    return found
  }

  /** Requires the rewrite lock. A flush may replace the file, which is held until the end. */
  private async renew(dataFile: DataFile, renewed: ReadonlySet<SectionName>): Promise<void> {
    const { layers, rewriter, log } = this.context
    const { table, layout, files, keyIndex, textFilters, rollups, valueIndexes } = layers
    const { fileName } = dataFile
    if (!files.dataFiles.includes(dataFile)) return
    const file = needsRewrite(dataFile) ? undefined : dataFile
    const { sections } = await files.hold(() =>
      rebuildIndexFile(rewriter, table, { layout, reading: dataFile, file, renewed }),
    )
    if (!files.dataFiles.includes(dataFile)) return
    await layout.keeper.keepIndex(fileName)
    const has = (name: SectionName) => sections.some((section) => section.name === name && section.content.length > 0)
    keyIndex.invalidate(dataFile)
    textFilters.wasRebuilt(fileName, file !== undefined && !has('texts'))
    if (file !== undefined || has('rollup'))
      rollups.wasRebuilt(fileName, has('rollup') ? layout.index(fileName) : undefined)
    valueIndexes.wasRebuilt(fileName)
    files.removeEarlierIndexes(fileName)
    log.info({ file: fileName, sections: [...renewed] }, 'rebuilt the index of a data file')
  }
}
