import { storageLimits } from '../../lib/limits/storage.ts'
import { itemAt } from '../../lib/present.ts'
import type { Table } from '../../lib/table.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import { fileExists, findText, listFolder } from '../../runtime/platform/files/files.ts'
import { joinPath } from '../../runtime/platform/files/paths.ts'
import { fileNameOf } from '../data-files/file-scan.ts'
import { openWithoutFilters, parquetSource } from '../data-files/open-data-files.ts'
import type { Action } from '../delta/actions.ts'
import { type CheckpointFiles, findCheckpoints, lastCheckpointName, readCheckpoint } from '../delta/checkpoint.ts'
import { commitName, commitVersion, readCommit } from '../delta/commit-file.ts'
import { DeltaState, fileKey, type TableFile } from '../delta/delta-state.ts'
import { TableLayout } from '../layout.ts'
import { findUnreferencedFiles } from '../table/open-table.ts'
import { readTableOnDisk, type TableOnDisk } from '../table/table-on-disk.ts'
import { BatchCodec } from '../wal/batch-codec.ts'
import { readSegment } from '../wal/segment-reader.ts'
import { fileFaults } from './file-faults.ts'
import { RowFaults, reason, type Verification } from './verification.ts'

/**
 * Lists violations of the protocol in a Delta log. Commits have to be complete and consecutive,
 * must not add a file twice or remove one that is absent; every checkpoint has to equal the commits
 * before it, and `_last_checkpoint` has to point to an existing one.
 */
async function deltaLogFaults(writer: Writer, folder: string): Promise<string[]> {
  const replay = new Replay(writer, folder)
  const names = await listFolder(folder)
  const commits = new Set(names.flatMap((name) => commitVersion(name) ?? []))
  const checkpointFiles = findCheckpoints(names)
  const checkpoints = new Set(checkpointFiles.map(({ version }) => version))
  const versions = [...new Set([...commits, ...checkpoints])].sort((a, b) => a - b)
  if (versions.length === 0) return ['has no commit']
  const newestCheckpoint = Math.max(-1, ...checkpoints)
  for (const version of versions) {
    // Commits between a gap and a checkpoint are irrelevant.
    const follows = version === replay.state.version + 1
    if (commits.has(version) && follows) await replay.commit(version)
    else if (!checkpoints.has(version) && version > newestCheckpoint && !follows)
      return [...replay.faults, `commit ${replay.state.version + 1} is missing`]
    for (const files of checkpointFiles) if (files.version === version) await replay.checkpoint(files)
  }
  replay.end()
  return [...replay.faults, ...(await lastCheckpointFaults(folder, checkpoints))]
}

class Replay {
  readonly faults: string[] = []
  state = new DeltaState()
  private readonly writer: Writer
  private readonly folder: string

  constructor(writer: Writer, folder: string) {
    this.writer = writer
    this.folder = folder
  }

  async commit(version: number): Promise<void> {
    const name = commitName(version)
    const actions = await this.read(name, () => readCommit(joinPath(this.folder, name)))
    const present = new Map(this.state.files.map(({ add }) => [fileKey(add), add.path]))
    // Actions of a commit are unordered, and a file whose rows were deleted replaces itself.
    for (const action of actions)
      if ('remove' in action && !present.delete(fileKey(action.remove)))
        this.faults.push(`${name} removes ${action.remove.path}, which is not in the table`)
    const paths = new Set(present.values())
    for (const action of actions) {
      if (!('add' in action)) continue
      // Adding the same file again may update its metadata but brings no rows; with another
      // deletion vector it would be there twice.
      if (paths.has(action.add.path) && (action.add.dataChange || !present.has(fileKey(action.add))))
        this.faults.push(`${name} adds ${action.add.path}, which is already in the table`)
      paths.add(action.add.path)
      present.set(fileKey(action.add), action.add.path)
    }
    this.state.apply(actions)
  }

  async checkpoint(files: CheckpointFiles): Promise<void> {
    const { version } = files
    const name = itemAt(files.names, 0)
    const faultsBefore = this.faults.length
    const actions = await this.read(name, async () => (await readCheckpoint(this.writer, this.folder, files)).actions)
    if (this.faults.length > faultsBefore) return
    const state = new DeltaState()
    state.loadCheckpoint({ version, actions })
    if (this.state.version === version && summary(this.state) !== summary(state))
      this.faults.push(`${name} differs from the result of the commits before it`)
    this.state = state
  }

  end(): void {
    if (this.state.metaData === undefined) this.faults.push('no commit defines the columns of the table (metaData)')
    if (this.state.protocol === undefined) this.faults.push('no commit states the protocol version')
  }

  private async read(name: string, read: () => Promise<readonly Action[]>): Promise<readonly Action[]> {
    try {
      return await read()
    } catch (cause) {
      this.faults.push(`${name} cannot be read: ${reason(cause)}`)
      return []
    }
  }
}

/** Equal for equal states of a table. */
function summary(state: DeltaState): string {
  const files = state.files.map(({ add, columns }) => [fileKey(add), add.size, columns])
  const { metaData } = state
  return JSON.stringify([metaData?.id, metaData?.schemaString, state.transactions, files.sort()])
}

async function lastCheckpointFaults(folder: string, checkpoints: ReadonlySet<number>): Promise<string[]> {
  const text = await findText(joinPath(folder, lastCheckpointName))
  if (text === undefined) return []
  try {
    const { version }: { version: number } = JSON.parse(text)
    return checkpoints.has(version) ? [] : [`${lastCheckpointName} names checkpoint ${version}, which is missing`]
  } catch {
    return [`${lastCheckpointName} is not JSON`]
  }
}

/** The numbers of files and rows that were verified. */
export interface VerifiedTable {
  readonly files: number
  readonly fileRows: number
  /** Rows and parts of rows that are only in the WAL. */
  readonly logRows: number
}

/**
 * Verifies everything that a table has on disk and reports faults. A server may be running
 * meanwhile.
 */
export async function verifyTable(verification: Verification, table: Table): Promise<VerifiedTable> {
  const { writer, dataFolder, report } = verification
  const layout = new TableLayout(dataFolder, table.name)
  const place = joinPath('tables', table.name)
  const nothing = { files: 0, fileRows: 0, logRows: 0 }
  if (!(await fileExists(layout.folder))) {
    report(place, 'the folder of the table is missing')
    return nothing
  }
  await verifyDeltaLog(verification, layout, place)
  let onDisk: TableOnDisk
  try {
    onDisk = await readTableOnDisk(writer, layout)
  } catch (cause) {
    report(place, `the table cannot be read: ${reason(cause)}`)
    return nothing
  }
  await verifyNames(verification, layout, place)
  const logRows = verifyLog(verification, table, onDisk)
  const { files } = onDisk.state
  const areWhole = await verifyFiles(verification, table, layout, files)
  // DuckDB would only repeat that a file is unreadable.
  if (areWhole) await verifyKeys(verification, table, layout)
  return { files: files.length, fileRows: files.reduce((sum, file) => sum + rowsOf(file), 0), logRows }
}

/** Repeated if it finds faults: a server may have removed commits while they were being read. */
async function verifyDeltaLog({ writer, report }: Verification, layout: TableLayout, place: string): Promise<void> {
  const first = await deltaLogFaults(writer, layout.deltaLog)
  if (first.length === 0) return
  const again = await deltaLogFaults(writer, layout.deltaLog)
  for (const fault of again) report(joinPath(place, '_delta_log'), fault)
}

/**
 * Reports unreferenced data files. Repeated, because a server may be about to commit its output.
 */
async function verifyNames({ writer, report }: Verification, layout: TableLayout, place: string): Promise<void> {
  const look = async () => await findUnreferencedFiles(layout, (await readTableOnDisk(writer, layout)).state)
  const first = await look()
  const again = first.length === 0 ? [] : await look()
  for (const name of again.filter((name) => first.includes(name)))
    report(joinPath(place, name), 'is not named by any commit of the Delta log; a commit may be lost')
}

function verifyLog({ report, rowChecks }: Verification, table: Table, { logFiles }: TableOnDisk): number {
  const codec = new BatchCodec(table)
  const check = rowChecks.get(table.name)
  let count = 0
  for (const { name, bytes } of logFiles) {
    // A torn tail was never acknowledged.
    const { rows, damaged } = readSegment(bytes, codec)
    count += rows.length
    const place = joinPath('tables', table.name, '_wal', name)
    for (const { from, to } of damaged) report(place, `bytes ${from} to ${to} are damaged`)
    if (check === undefined) continue
    const broken = new RowFaults(check)
    for (const row of rows) broken.add(row)
    if (broken.fault !== undefined) report(place, broken.fault)
  }
  return count
}

/** According to the Delta log; other engines may not say. */
const rowsOf = ({ add }: TableFile): number => {
  const { numRecords }: { numRecords?: number } = JSON.parse(add.stats ?? '{}')
  return numRecords ?? 0
}

/** @returns whether all files are intact */
async function verifyFiles(
  verification: Verification,
  table: Table,
  layout: TableLayout,
  files: readonly TableFile[],
): Promise<boolean> {
  const { writer, report, onProgress, rowChecks } = verification
  let areWhole = true
  for (const [index, file] of files.entries()) {
    onProgress(`${table.name}, files`, index, files.length)
    const faults = await fileFaults(writer, table, layout, file, rowChecks.get(table.name))
    // A file that a server has replaced meanwhile may be gone.
    if (faults.length === 0 || !(await currentPaths(verification, layout)).includes(file.add.path)) continue
    areWhole = false
    for (const fault of faults) report(joinPath('tables', table.name, fileNameOf(file.add.path)), fault)
  }
  return areWhole
}

async function currentPaths({ writer }: Verification, layout: TableLayout): Promise<string[]> {
  const { state } = await readTableOnDisk(writer, layout)
  return state.files.map(({ add }) => add.path)
}

/** No key may occur twice in the files. */
async function verifyKeys(verification: Verification, table: Table, layout: TableLayout): Promise<void> {
  const { writer, report } = verification
  const [project, id] = table.key
  for (;;) {
    const { files } = (await readTableOnDisk(writer, layout)).state
    if (files.length === 0) return
    try {
      const doubled = await writer.rows(
        `SELECT t."${project}", t."${id}", count(*) FROM
          ${parquetSource(layout, await openWithoutFilters(writer, table, layout, files))} t
         GROUP BY ALL HAVING count(*) > 1 ORDER BY ALL LIMIT ${storageLimits.duplicateKeysNamedMax}`,
      )
      for (const [projectId, rowId, count] of doubled)
        report(
          joinPath('tables', table.name),
          `the row ${JSON.stringify([projectId, rowId])} occurs ${count} times in files`,
        )
      return
    } catch (cause) {
      // A replaced file may have been removed meanwhile: then the table has other files by now.
      const paths = await currentPaths(verification, layout)
      if (files.some(({ add }) => !paths.includes(add.path))) continue
      report(joinPath('tables', table.name), `keys cannot be compared: ${reason(cause)}`)
      return
    }
  }
}
