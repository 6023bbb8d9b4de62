import type { BatchRow } from '../../lib/batch-row.ts'
import type { Row } from '../../lib/table.ts'
import type { Log } from '../../runtime/log.ts'
import {
  ensureFolderDurably,
  rewriteDurably,
  syncFile,
  syncFolder,
  truncateFile,
  writeFileDurably,
} from '../../runtime/platform/files/durable-files.ts'
import { codeOf, fileBytes, findBytes, listFolder, readBytes, removeFile } from '../../runtime/platform/files/files.ts'
import { joinPath } from '../../runtime/platform/files/paths.ts'
import { type TableLayout, walSegmentNumber } from '../layout.ts'
import type { BatchCodec } from './batch-codec.ts'
import { scanSegment } from './segment-reader.ts'

/** The part of a write-ahead log that has to be replayed. */
interface SegmentsToReplay {
  /** Names of segments, in log order. */
  readonly segments: readonly string[]
  readonly bytes: number
  /** Number of the next segment to write. */
  readonly nextSegment: number
}

/** Lists the WAL after segment `flushedThrough`, and removes flushed segments. */
export async function findBacklog(layout: TableLayout, flushedThrough: number): Promise<SegmentsToReplay> {
  const segments: string[] = []
  let bytes = 0
  let last = flushedThrough
  for (const name of await listFolder(layout.wal)) {
    const number = walSegmentNumber(name)
    if (number === undefined) continue
    const file = joinPath(layout.wal, name)
    last = Math.max(last, number)
    if (number <= flushedThrough) {
      await removeFile(file)
      continue
    }
    segments.push(name)
    bytes += await fileBytes(file)
  }
  return { segments, bytes, nextSegment: last + 1 }
}

/**
 * Replays segments: truncates torn tails, copies damaged segments to `_quarantine` and reports
 * them, and passes the rows to `apply` in log order, batch by batch.
 */
export async function recoverLog(options: {
  layout: TableLayout
  codec: BatchCodec
  segments: readonly string[]
  /** The bytes of the first segment, if they are being read already. */
  first: Promise<Uint8Array> | undefined
  log: Log
  apply: (rows: readonly (Row | BatchRow)[]) => Promise<void>
}): Promise<void> {
  const { layout, codec, segments, log, apply } = options
  let next = options.first
  for (const name of segments) {
    const file = joinPath(layout.wal, name)
    const bytes = await (next ?? readBytes(file))
    next = undefined
    const { header, batches, validBytes, damaged } = scanSegment(bytes, codec)
    if (damaged.length > 0) {
      await ensureFolderDurably(layout.quarantine)
      await writeFileDurably(joinPath(layout.quarantine, name), bytes)
      log.error(
        { file: name, damaged },
        'WAL segment is damaged; recovered its readable rows and kept a copy in _quarantine',
      )
    } else if (bytes.byteLength === 0) {
      // The process ended between creating the file and writing to it.
      await removeFile(file)
    } else if (validBytes < bytes.byteLength && !isEndOfStream(bytes.subarray(validBytes))) {
      log.warn({ file: name, bytes: bytes.byteLength - validBytes }, 'WAL segment ends in a torn batch; truncated it')
      if (validBytes === 0) await removeFile(file)
      else await truncateFile(file, validBytes)
    }
    // Meanwhile the rows go into memory. Whether this fails is known before they are read.
    const stored = batches.length === 0 ? undefined : makeDurable(file, bytes, validBytes)
    stored?.catch(() => {})
    let count = 0
    const read = codec.reader(header)
    for (const { from, to } of batches) {
      const rows = read(bytes.subarray(from, to))
      count += rows.length
      await apply(rows)
    }
    await stored
    // A clean stop leaves an empty segment of each table, which says nothing.
    log[count > 0 ? 'info' : 'debug']({ file: name, rows: count }, 'replayed WAL segment')
  }
  await syncFolder(layout.wal)
}

/**
 * Makes the rows of a segment durable that the last process did not acknowledge: from now on they
 * are read. If it could not end the segment, a sync may have failed, so it is written once more.
 */
async function makeDurable(file: string, bytes: Uint8Array, validBytes: number): Promise<void> {
  if (isEndOfStream(bytes.subarray(validBytes))) {
    await syncFile(file)
    return
  }
  try {
    await rewriteDurably(file, bytes.subarray(0, validBytes))
  } catch (cause) {
    // Some file systems need space for that. The server has to start on a full disk.
    if (codeOf(cause) !== 'ENOSPC' && codeOf(cause) !== 'EDQUOT') throw cause
    await syncFile(file)
  }
}

const isEndOfStream = (bytes: Uint8Array): boolean =>
  bytes.byteLength === 8 && bytes.every((byte, index) => byte === (index < 4 ? 0xff : 0))

/** Removes WAL segments up to and including `through`, whose rows are in Parquet. */
export async function removeLogFiles(layout: TableLayout, through: number): Promise<void> {
  for (const name of await listFolder(layout.wal)) {
    const number = walSegmentNumber(name)
    if (number !== undefined && number <= through) await removeFile(joinPath(layout.wal, name))
  }
}

/** A WAL segment that has been read. */
export interface LogFile {
  readonly number: number
  readonly name: string
  readonly bytes: Uint8Array
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
