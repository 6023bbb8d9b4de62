import { storageLimits } from '../../lib/limits/storage.ts'
import { itemAt } from '../../lib/present.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import { writeFileDurably } from '../../runtime/platform/files/durable-files.ts'
import { fileExists, findFileBytes, listFolder } from '../../runtime/platform/files/files.ts'
import { dirName, joinPath } from '../../runtime/platform/files/paths.ts'
import { fileNameOf } from '../data-files/file-scan.ts'
import { markUncommitted } from '../data-files/uncommitted-files.ts'
import type { Add } from '../delta/actions.ts'
import { vectorFileName } from '../delta/deletion-vector.ts'
import { type DeltaState, readDeltaState } from '../delta/delta-state.ts'
import { DataFolderError, TableLayout } from '../layout.ts'
import { readTableOnDisk } from '../table/table-on-disk.ts'
import type { LogFile } from '../wal/recover-log.ts'
import type { BackupTarget, LinkOrCopy } from './backup-target.ts'

/** A table whose files are in the backup but not yet named by its Delta log and write-ahead log. */
export interface StagedTable {
  readonly source: TableLayout
  readonly target: TableLayout
  readonly state: DeltaState
  /** The state of the table in the previous backup. */
  readonly before: DeltaState
  readonly logFiles: readonly { readonly name: string; readonly temporary: string }[]
}

export interface StageOptions {
  readonly writer: Writer
  readonly dataFolder: string
  readonly target: BackupTarget
  readonly linkOrCopy: LinkOrCopy
  readonly onFile: (done: number, of: number) => void
}

/**
 * Adds the files of one table, as it is now, to the backup, without changing its previous state.
 *
 * @returns undefined if the table has no commit yet, and so no rows
 */
export async function stageTable(options: StageOptions, tableName: string): Promise<StagedTable | undefined> {
  const { writer, dataFolder, target, linkOrCopy } = options
  const source = new TableLayout(dataFolder, tableName)
  const copy = new TableLayout(target.folder, tableName)
  for (const folder of [copy.folder, copy.deltaLog, copy.wal, copy.filters]) await linkOrCopy.ensure(folder)
  const before = await readDeltaState(writer, copy.deltaLog)
  for (let attempt = 1; ; attempt++) {
    const { state, logFiles } = await readTableOnDisk(writer, source)
    if (state.version < 0) return undefined
    refuseOtherSource(before, state, copy)
    // The write-ahead log first: it changes most often.
    const staged = await stageLogFiles(target, logFiles)
    if (await linkDataFiles(options, source, copy, state)) {
      await linkQuarantine(linkOrCopy, source, copy)
      return { source, target: copy, state, before, logFiles: staged }
    }
    if (attempt === storageLimits.readBesideAttemptsMax)
      throw new Error(`Cannot back up ${source.folder}: files were removed while being copied, in ${attempt} attempts`)
  }
}

async function stageLogFiles(target: BackupTarget, logFiles: readonly LogFile[]): Promise<StagedTable['logFiles']> {
  const staged: { name: string; temporary: string }[] = []
  for (const { name, bytes } of logFiles) {
    const temporary = target.temporaryFile()
    await writeFileDurably(temporary, bytes)
    staged.push({ name, temporary })
  }
  return staged
}

/**
 * @returns false if a file of this state is gone: it was replaced, and a newer state has to be read
 */
async function linkDataFiles(
  { linkOrCopy, onFile }: StageOptions,
  source: TableLayout,
  copy: TableLayout,
  { files }: DeltaState,
): Promise<boolean> {
  // Newest first: those are replaced soonest.
  const adds = files.map(({ add }) => add).reverse()
  for (const [index, add] of adds.entries()) {
    onFile(index + 1, adds.length)
    if (!(await linkDataFile(linkOrCopy, source, copy, add))) return false
  }
  return true
}

async function linkDataFile(
  linkOrCopy: LinkOrCopy,
  source: TableLayout,
  copy: TableLayout,
  add: Add['add'],
): Promise<boolean> {
  const fileName = fileNameOf(add.path)
  const { deletionVector } = add
  const vector = deletionVector && vectorFileName(deletionVector)
  if (vector !== undefined && !(await linkSidecar(linkOrCopy, source, copy, vector))) return false
  // Missing index files are rebuilt, or the table works without them.
  const targets = copy.indexFiles(fileName)
  for (const [index, file] of source.indexFiles(fileName).entries())
    await linkOrCopy.place(file, itemAt(targets, index), await findFileBytes(file))
  await linkOrCopy.ensure(dirName(copy.parquet(fileName)))
  // No commit of the backup names the file yet. The marker keeps a server that is started on the
  // unfinished backup from reporting a lost commit.
  if (!(await fileExists(copy.parquet(fileName)))) await markUncommitted(copy, fileName)
  return await linkOrCopy.place(source.parquet(fileName), copy.parquet(fileName), add.size)
}

async function linkSidecar(
  linkOrCopy: LinkOrCopy,
  source: TableLayout,
  copy: TableLayout,
  name: string,
): Promise<boolean> {
  await linkOrCopy.ensure(dirName(joinPath(copy.folder, name)))
  return await linkOrCopy.place(joinPath(source.folder, name), joinPath(copy.folder, name))
}

async function linkQuarantine(linkOrCopy: LinkOrCopy, source: TableLayout, copy: TableLayout): Promise<void> {
  const names = (await listFolder(source.quarantine)).filter((name) => /\.(arrows|damaged\.json)$/.test(name))
  if (names.length > 0) await linkOrCopy.ensure(copy.quarantine)
  for (const name of names) await linkOrCopy.placeByName(source.quarantine, copy.quarantine, name)
}

function refuseOtherSource(before: DeltaState, now: DeltaState, copy: TableLayout): void {
  if (before.version < 0) return
  if (before.metaData?.id !== now.metaData?.id)
    throw new DataFolderError(
      `Cannot back up to ${copy.folder}: it is a backup of another data folder; choose another target`,
    )
  const isSame = () => pathsOf(before).every((path, index) => path === pathsOf(now)[index])
  if (before.version > now.version || (before.version === now.version && !isSame()))
    throw new DataFolderError(
      `Cannot back up to ${copy.folder}: it has a newer state than the data folder, which seems to have been ` +
        `restored; choose another target`,
    )
}

const pathsOf = ({ files }: DeltaState): string[] => files.map(({ add }) => add.path).sort()
