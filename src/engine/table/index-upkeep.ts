import { storageLimits } from '../../lib/limits/storage.ts'
import { type DataFile, needsRewrite } from '../data-files/data-file.ts'
import { rebuildIndexFile } from '../data-files/write-index-file.ts'
import type { SectionName } from '../index-file/index-file-format.ts'
import type { FileWriteContext } from './file-write-context.ts'
import { Upkeep } from './upkeep.ts'

/**
 * Maintains the indexes of one table in the background: rebuilds index files that are damaged,
 * missing or incomplete (for files of other engines or earlier versions), and merges files into
 * groups.
 */
export class IndexUpkeep extends Upkeep {
  readonly what = 'updating the key index'
  protected readonly isDue = true

  constructor(context: FileWriteContext) {
    super(context, { retryMs: storageLimits.indexRetryMs })
  }

  protected async work(): Promise<void> {
    const { files, intact, keyIndex, rollups } = this.context.layers
    for (const [dataFile, renewed] of await this.incomplete(intact)) {
      if (this.isClosed) return
      await this.context.rewriteLock.run(() => this.renewUnlessDamaged(dataFile, renewed))
    }
    if (!this.isClosed) await rollups.update(intact)
    // Files that are replaced meanwhile stay, or their hashes could not be read to the end.
    const regroup = () => files.hold(() => keyIndex.regroup(files.dataFiles))
    while (!this.isClosed && (await regroup()));
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
    if ((table.searched ?? []).length > 0) note('texts', lasting(await textFilters.sections.filesWithout(dataFiles)))
    note('rollup', lasting(await rollups.filesWithout(dataFiles)))
    note('values', lasting(await valueIndexes.filesWithout(dataFiles)))
    return found
  }

  /** Renews an index. A damaged file gets none, and keeps no other from its own. */
  private async renewUnlessDamaged(dataFile: DataFile, renewed: ReadonlySet<SectionName>): Promise<void> {
    try {
      await this.renew(dataFile, renewed)
    } catch (cause) {
      if (!(await this.context.layers.damaged.check(dataFile))) throw cause
    }
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
    textFilters.sections.wasRebuilt(fileName)
    if (file !== undefined || has('rollup'))
      rollups.wasRebuilt(fileName, has('rollup') ? layout.index(fileName) : undefined)
    valueIndexes.wasRebuilt(fileName)
    files.removeEarlierIndexes(fileName)
    log.info({ file: fileName, sections: [...renewed] }, 'rebuilt the index of a data file')
  }
}
