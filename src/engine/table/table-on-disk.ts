import { storageLimits } from '../../lib/limits/storage.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import { findBytes, listFolder } from '../../runtime/platform/files/files.ts'
import { baseName, joinPath } from '../../runtime/platform/files/paths.ts'
import { DataFolderError } from '../data-folder-error.ts'
import { type DeltaState, readDeltaState } from '../delta/delta-state.ts'
import { type TableLayout, walSegmentNumber } from '../layout.ts'
import { walApplication } from './flush.ts'
import { requireReadable } from './table-access.ts'

export interface LogFile {
  readonly number: number
  readonly name: string
  readonly bytes: Uint8Array
}

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

/** All WAL segments of a table, in order. */
export async function readLogFiles(layout: TableLayout): Promise<LogFile[]> {
  const files: LogFile[] = []
  for (const name of await listFolder(layout.wal)) {
    const number = walSegmentNumber(name)
    if (number === undefined) continue
    // Gone since it was listed: its rows are now in the files of the Delta state.
    const bytes = await findBytes(joinPath(layout.wal, name))
    if (bytes !== undefined) files.push({ number, name, bytes })
  }
  return files
}
