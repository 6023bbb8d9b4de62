import { containsBytes } from '../../runtime/platform/files/bytes.ts'
import { listFolder, readBytes, removeFile } from '../../runtime/platform/files/files.ts'
import { joinPath } from '../../runtime/platform/files/paths.ts'
import type { DataFile } from '../data-files/data-file.ts'
import { parquetSource } from '../data-files/open-data-files.ts'
import {
  containsOnlyRows,
  isErasedSql,
  mayContainRows,
  type RowsToErase,
  rewriteRows,
} from '../data-files/rewrite-rows.ts'
import { type Action, commitInfo, erasureAction } from '../delta/actions.ts'
import type { MayHave, TableLayout } from '../layout.ts'
import { fileActions, replaceFiles } from './commit-files.ts'
import type { CommittedFile, FilePlan } from './file-commits.ts'
import type { FileWriteContext } from './file-write-context.ts'
import { retryIfReplaced } from './replaced-files.ts'

/**
 * Removes the quarantined files of a table that may contain rows of a project: copies of damaged
 * segments of the WAL that name it, and all data files, whose rows are compressed.
 */
export async function eraseQuarantine({ quarantine, keeper }: TableLayout, projectId: string): Promise<void> {
  const text = new TextEncoder().encode(projectId)
  const mayHave: MayHave = async (name, read) =>
    name.endsWith('.parquet') || (name.endsWith('.arrows') && containsBytes(await read(), text))
  for (const name of await listFolder(quarantine)) {
    const file = joinPath(quarantine, name)
    if (await mayHave(name, () => readBytes(file))) await removeFile(file)
  }
  await keeper.eraseQuarantined(mayHave)
}

export interface EraseOptions {
  readonly signal?: AbortSignal | undefined
  /** Called after each file. */
  readonly onProgress?: ((progress: ErasedFiles) => void) | undefined
}

/** How far an erasure has come in one table. */
export interface ErasedFiles {
  /** Files that have been examined, and those that remain. */
  readonly done: number
  readonly left: number
  /** Rows removed. */
  readonly rows: number
  /** Files that may contain the rows but are damaged; they stay until they are repaired. */
  readonly damaged: readonly string[]
}

/**
 * Removes rows from the data files of one table. Each file that contains some is replaced, in a
 * commit of its own, by a copy without them, so that an erasure that is interrupted goes on where
 * it stopped. Others read, write and flush meanwhile. See docs/decisions/165-erasing-rows.md.
 */
export class Eraser {
  private readonly context: FileWriteContext

  constructor(context: FileWriteContext) {
    this.context = context
  }

  /** @throws whatever `signal` was aborted with */
  async erase(wanted: readonly RowsToErase[], { signal, onProgress }: EraseOptions = {}): Promise<ErasedFiles> {
    const { layers, rewriteLock, commits } = this.context
    const examined = new Set<DataFile>()
    const damaged = new Set<string>()
    let rows = 0
    for (;;) {
      const left = this.filesWith(wanted).filter((dataFile) => !examined.has(dataFile))
      const progress = { done: examined.size, left: left.length, rows, damaged: [...damaged] }
      onProgress?.(progress)
      const dataFile = left[0]
      if (dataFile === undefined) return progress
      signal?.throwIfAborted()
      const erase = async () => {
        // A flush or a compaction has replaced it; its successor follows.
        if (!layers.files.dataFiles.includes(dataFile)) return 0
        if (await layers.damaged.check(dataFile)) {
          damaged.add(dataFile.fileName)
          return 0
        }
        return await layers.files.hold(() => this.eraseFrom(dataFile, wanted))
      }
      rows += await retryIfReplaced(() => rewriteLock.run(erase), commits)
      await layers.removeUnneeded()
      examined.add(dataFile)
    }
  }

  private filesWith(wanted: readonly RowsToErase[]): DataFile[] {
    const { table, files } = this.context.layers
    return files.dataFiles.filter((dataFile) => wanted.some((rows) => mayContainRows(table, dataFile, rows)))
  }

  /** Requires the rewrite lock. Returns how many rows were removed. */
  private async eraseFrom(dataFile: DataFile, wanted: readonly RowsToErase[]): Promise<number> {
    const { layers, commits, rewriter: writer, clock, log } = this.context
    const { table, layout } = layers
    const inFile = wanted.filter((rows) => mayContainRows(table, dataFile, rows))
    const isErased = isErasedSql(table, inFile)
    const source = `${parquetSource(layout, [dataFile])} t`
    const isWhole = inFile.some((rows) => containsOnlyRows(table, dataFile, rows))
    const erased = isWhole ? dataFile.rows : await this.count(`${source} WHERE ${isErased}`)
    if (erased === 0) return 0
    const change = await replaceFiles(this.context, [dataFile], {
      write: async () => {
        if (erased === dataFile.rows) return []
        const left = `${source} WHERE NOT ${isErased}`
        return await rewriteRows({ writer, table, layout, source: left, nowMs: clock.nowMs() })
      },
      actions: (plan) => eraseActions(plan, { version: commits.deltaLog.state.version + 1, nowMs: clock.nowMs() }),
    })
    if (change === undefined) return 0
    log.info({ rows: erased, file: dataFile.fileName }, 'erased rows of a data file')
    return erased
  }

  private async count(source: string): Promise<number> {
    return (await this.context.rewriter.readOne({ rows: 'integer' }, `SELECT count(*) FROM ${source}`)).rows
  }
}

/** The actions of a commit that erases rows. */
const eraseActions = (
  plan: FilePlan<CommittedFile>,
  { version, nowMs }: { version: number; nowMs: number },
): Action[] => [commitInfo('DELETE', {}, nowMs), erasureAction(version, nowMs), ...fileActions(plan, nowMs)]
