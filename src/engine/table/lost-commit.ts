import { listFolder } from '../../runtime/platform/files/files.ts'
import { createdAtMs } from '../data-files/file-names.ts'
import { fileNameOf } from '../data-files/file-scan.ts'
import { DataFolderError } from '../data-folder-error.ts'
import { commitName } from '../delta/commit-file.ts'
import type { DeltaState } from '../delta/delta-state.ts'
import { type TableLayout, walSegmentNumber } from '../layout.ts'

/** Data files of this store that no commit names and that are not marked as uncommitted. */
export async function findUnreferencedFiles(layout: TableLayout, state: DeltaState): Promise<string[]> {
  const named = new Set([
    ...state.files.map(({ add }) => fileNameOf(add.path)),
    ...state.removed.map(({ path }) => fileNameOf(path)),
    ...(await listFolder(layout.unfinished)),
  ])
  return (await listFolder(layout.folder)).filter((name) => createdAtMs(name) !== undefined && !named.has(name))
}

/**
 * Refuses a table whose last commit is lost. The evidence: a file newer than all commits, whose WAL
 * segment is gone, which happens only after a commit.
 *
 * @param unnamed result of `findUnreferencedFiles`
 * @throws DataFolderError
 */
export async function refuseLostCommit(options: {
  layout: TableLayout
  tableName: string
  state: DeltaState
  unnamed: readonly string[]
  /** The last WAL segment whose rows are in the files of the state. */
  flushedThrough: number
}): Promise<void> {
  const { layout, tableName, state, unnamed, flushedThrough } = options
  const newestMs = Math.max(0, ...state.files.map(({ add }) => add.modificationTime), ...removalTimes(state))
  const later = unnamed.filter((name) => createdAtMs(name)! > newestMs)
  if (later.length === 0) return
  const logFiles = (await listFolder(layout.wal)).flatMap((name) => walSegmentNumber(name) ?? [])
  if (logFiles.includes(flushedThrough + 1)) return
  throw new DataFolderError(
    `Cannot open table ${tableName}: no commit of its Delta log names ${later.join(', ')}, so a commit after ` +
      `${state.version} seems to be lost. ` +
      `Restore ${commitName(state.version + 1)} in ${layout.deltaLog}, or move the named files out of ` +
      `${layout.folder} to continue without their rows`,
  )
}

const removalTimes = (state: DeltaState): number[] =>
  state.removed.map(({ deletionTimestamp }) => deletionTimestamp ?? 0)
