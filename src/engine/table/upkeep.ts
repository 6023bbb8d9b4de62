import { storageLimits } from '../../lib/limits/storage.ts'
import { type DataFile, needsRewrite } from '../data-files/data-file.ts'
import { fileSource } from '../data-files/file-scan.ts'
import { rebuildIndexFiles } from '../data-files/write-data-file.ts'
import { ErasedHistory } from '../delta/erased-history.ts'
import { writeRollup } from '../rollups/write-rollup.ts'
import { writeTextFilter } from '../text-filter/write-text-filter.ts'
import { writeValueIndex } from '../value-index/write-value-index.ts'
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

/**
 * Maintains the key index of one table in the background: rebuilds key files that are damaged or
 * missing (for files of other engines or earlier versions), writes missing text filters, and merges
 * files into groups.
 */
export class IndexMaintenance {
  private readonly context: FileWriteContext
  private running: Promise<void> | undefined
  private isClosed = false
  private notBeforeMs = 0

  constructor(context: FileWriteContext) {
    this.context = context
  }

  /** Runs the maintenance that is due. Called by a timer; backs off after a failure. */
  async runIfDue(): Promise<void> {
    if (this.isClosed || this.running !== undefined || this.context.commits.refusal !== undefined) return
    if (this.context.clock.nowMs() < this.notBeforeMs) return
    this.running = this.run()
    try {
      await this.running
    } catch (cause) {
      this.notBeforeMs = this.context.clock.nowMs() + storageLimits.indexRetryMs
      throw cause
    } finally {
      this.running = undefined
    }
  }

  /** Waits for the step in progress and prevents further ones. */
  async close(): Promise<void> {
    this.isClosed = true
    // The caller of that step receives its failure.
    await this.running?.catch(() => {})
  }

  private async run(): Promise<void> {
    const { table, files, intact, keyIndex, textFilters, rollups, valueIndexes } = this.context.layers
    for (const dataFile of await keyIndex.filesWithoutKeyFile(intact)) {
      if (this.isClosed) return
      await this.context.flushLock.run(() => this.renew(dataFile))
    }
    if ((table.searched ?? []).length > 0)
      for (const dataFile of await textFilters.filesWithout(intact)) {
        if (this.isClosed) return
        await this.context.flushLock.run(() => this.renewTexts(dataFile))
      }
    for (const dataFile of await rollups.filesWithout(intact)) {
      if (this.isClosed) return
      await this.context.flushLock.run(() => this.renewRollup(dataFile))
    }
    if (!this.isClosed) await rollups.update(intact)
    for (const dataFile of await valueIndexes.filesWithout(intact)) {
      if (this.isClosed) return
      // Files of other engines are rewritten soon.
      if (!needsRewrite(dataFile)) await this.context.flushLock.run(() => this.renewValues(dataFile))
    }
    while (!this.isClosed && (await keyIndex.regroup(files.dataFiles)));
  }

  /** Under the flush lock only other engines can add or remove files. */
  private async renew(dataFile: DataFile): Promise<void> {
    const { layers, flusher, log } = this.context
    const { table, layout, files, keyIndex } = layers
    if (!files.dataFiles.includes(dataFile)) return
    await rebuildIndexFiles(flusher, table, layout, dataFile)
    keyIndex.invalidate(dataFile)
    log.info({ file: dataFile.fileName }, 'rebuilt the key file of a data file')
  }

  private async renewTexts(dataFile: DataFile): Promise<void> {
    const { layers, flusher, log } = this.context
    const { table, layout, files, textFilters } = layers
    if (!files.dataFiles.includes(dataFile)) return
    const place = { parquet: layout.parquet(dataFile.fileName), path: layout.texts(dataFile.fileName) }
    // Files of other engines are rewritten soon.
    const isWritten = !needsRewrite(dataFile) && (await writeTextFilter(flusher, table, place))
    textFilters.wasRebuilt(dataFile.fileName, !isWritten)
    if (isWritten) log.info({ file: dataFile.fileName }, 'wrote the text filter of a data file')
  }

  private async renewRollup(dataFile: DataFile): Promise<void> {
    const { layers, flusher, log } = this.context
    const { table, layout, files, rollups } = layers
    const { fileName } = dataFile
    if (!files.dataFiles.includes(dataFile)) return
    const place = { source: fileSource(layout, [dataFile]), path: layout.rollup(fileName) }
    // Files of other engines are rewritten soon.
    const isWritten = !needsRewrite(dataFile) && (await writeRollup(flusher, table, place))
    rollups.wasRebuilt(fileName, !isWritten)
    if (isWritten) log.info({ file: fileName }, 'wrote the rollup of a data file')
  }

  private async renewValues(dataFile: DataFile): Promise<void> {
    const { layers, flusher, log } = this.context
    const { table, layout, files, valueIndexes } = layers
    const { fileName } = dataFile
    if (!files.dataFiles.includes(dataFile)) return
    const places = { parquet: layout.parquet(fileName), path: layout.values(fileName) }
    await writeValueIndex(flusher, table, dataFile, places)
    valueIndexes.wasRebuilt(fileName)
    log.info({ file: fileName }, 'wrote the value index of a data file')
  }
}
