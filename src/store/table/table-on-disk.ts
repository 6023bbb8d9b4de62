import type { Writer } from '../../duck/writer.ts'
import { limits } from '../../limits.ts'
import { findBytes, listFolder } from '../../platform/files.ts'
import { baseName, joinPath } from '../../platform/paths.ts'
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

/** What a table has on the disk at one moment. */
export interface TableOnDisk {
  readonly state: DeltaState
  /** Log files whose rows are not in the files of the state, in order. */
  readonly logFiles: readonly LogFile[]
}

/**
 * Reads what a table consists of without holding the folder: a server may be writing, flushing and removing meanwhile. Everything that was
 * acknowledged before is in it.
 *
 * @throws Error where the Delta log is damaged; DataFolderError where the table has become what this version cannot read
 */
export async function readTableOnDisk(writer: Writer, layout: TableLayout): Promise<TableOnDisk> {
  for (let attempt = 1; ; attempt++) {
    try {
      const read = await readOnce(writer, layout)
      if (read !== undefined) return read
    } catch (cause) {
      if (cause instanceof DataFolderError) throw cause
      // Commits are removed when a later checkpoint has them, perhaps while they are being read.
      if (attempt >= limits.readBesideAttemptsMax) throw cause
    }
    if (attempt >= limits.readBesideAttemptsMax)
      throw new Error(`Read ${layout.folder}: it changed ${attempt} times while it was being read`)
  }
}

async function readOnce(writer: Writer, layout: TableLayout): Promise<TableOnDisk | undefined> {
  // The log is read before the Delta state: what a flush moves in between is then in both, and the state says so.
  const read = await readLogFiles(layout)
  const state = await readDeltaState(writer, layout.deltaLog)
  requireReadable(baseName(layout.folder), state)
  const flushedThrough = state.transaction(walApplication) ?? 0
  const logFiles = read.filter(({ number }) => number > flushedThrough)
  // A flush moves rows that still wait for something into the next log file. If that came after the log was read, they would be in neither.
  const hasNext = (await listFolder(layout.wal)).some((name) => (walSegmentNumber(name) ?? 0) > flushedThrough)
  return logFiles.length === 0 && hasNext ? undefined : { state, logFiles }
}

/** All log files of a table, in order. */
export async function readLogFiles(layout: TableLayout): Promise<LogFile[]> {
  const files: LogFile[] = []
  for (const name of await listFolder(layout.wal)) {
    const number = walSegmentNumber(name)
    if (number === undefined) continue
    // Gone since it was listed: its rows are in the files that the Delta state names by now.
    const bytes = await findBytes(joinPath(layout.wal, name))
    if (bytes !== undefined) files.push({ number, name, bytes })
  }
  return files
}
