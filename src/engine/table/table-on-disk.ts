import { storageLimits } from '../../lib/limits/storage.ts'
import type { Table } from '../../lib/table.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import { listFolder } from '../../runtime/platform/files/files.ts'
import { baseName } from '../../runtime/platform/files/paths.ts'
import { fileColumns } from '../data-files/file-scan.ts'
import { type DeltaState, readDeltaState } from '../delta/delta-state.ts'
import { unreadableReason, unwritableReason } from '../delta/protocol-support.ts'
import { columnsOfSchema, schemaMismatch } from '../delta/schema-string.ts'
import { DataFolderError, type TableLayout, walSegmentNumber } from '../layout.ts'
import { walApplication } from '../wal/log-files.ts'
import { type LogFile, readLogFiles } from '../wal/recover-log.ts'

/** @throws DataFolderError if other engines have made the table unreadable for this version */
function requireReadable(name: string, { protocol, metaData }: DeltaState): void {
  if (protocol === undefined || metaData === undefined) return
  const why = unreadableReason({ protocol, metaData })
  if (why !== undefined) throw new DataFolderError(accessError(name, why))
}

/**
 * The same, including the columns.
 * @throws DataFolderError
 */
export function requireSchema(table: Table, state: DeltaState): void {
  requireReadable(table.name, state)
  if (state.metaData === undefined) return
  const why = schemaMismatch(fileColumns(table), state.metaData, table)
  if (why !== undefined) throw new DataFolderError(accessError(table.name, why))
}

/** Why a readable table cannot be written to; undefined if it can. */
export function writeRefusal(table: Table, { protocol, metaData }: DeltaState): string | undefined {
  if (protocol === undefined || metaData === undefined) return undefined
  const why = unwritableReason({ protocol, metaData })
  return why && accessError(table.name, why)
}

/** Columns that have to be added to a table before rows are written to it. */
export function missingColumns(table: Table, { metaData }: DeltaState): string[] {
  const present = metaData === undefined ? [] : columnsOfSchema(metaData.schemaString)
  return fileColumns(table)
    .map(({ name }) => name)
    .filter((name) => !present.includes(name))
}

const accessError = (name: string, why: string): string =>
  `Cannot use table ${name}: another engine has changed it, and it ${why}. Nothing in it was touched. Revert the ` +
  `change, or use another version`

/** The files of a table at one moment. */
export interface TableOnDisk {
  readonly state: DeltaState
  /** WAL segments whose rows are not in the files of the state, in order. */
  readonly logFiles: readonly LogFile[]
}

/**
 * Reads the state of a table without locking the folder: a server may be writing, flushing and
 * removing files meanwhile. Includes everything acknowledged before the call.
 *
 * @throws Error if the Delta log is damaged; DataFolderError if this version cannot read the table
 */
export async function readTableOnDisk(writer: Writer, layout: TableLayout): Promise<TableOnDisk> {
  for (let attempt = 1; ; attempt++) {
    try {
      const read = await readOnce(writer, layout)
      if (read !== undefined) return read
    } catch (cause) {
      if (cause instanceof DataFolderError) throw cause
      // Commits covered by a newer checkpoint may be removed while they are being read.
      if (attempt >= storageLimits.readBesideAttemptsMax) throw cause
    }
    if (attempt >= storageLimits.readBesideAttemptsMax)
      throw new Error(`Cannot read ${layout.folder}: it changed while being read, in ${attempt} attempts`)
  }
}

async function readOnce(writer: Writer, layout: TableLayout): Promise<TableOnDisk | undefined> {
  // The WAL is read before the Delta state: rows flushed in between are then in both, and the state
  // says so.
  const read = await readLogFiles(layout)
  const state = await readDeltaState(writer, layout.deltaLog)
  requireReadable(baseName(layout.folder), state)
  const flushedThrough = state.transaction(walApplication) ?? 0
  const logFiles = read.filter(({ number }) => number > flushedThrough)
  // A flush carries retained rows into the next WAL segment. If that was created after the WAL was
  // listed, they would be in neither.
  const hasNext = (await listFolder(layout.wal)).some((name) => (walSegmentNumber(name) ?? 0) > flushedThrough)
  return logFiles.length === 0 && hasNext ? undefined : { state, logFiles }
}
