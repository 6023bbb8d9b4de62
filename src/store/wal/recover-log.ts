import type { Row } from '../../kernel/table.ts'
import type { Log } from '../../log.ts'
import { ensureFolderDurably, syncFolder, truncateFile, writeFileDurably } from '../../platform/durable-files.ts'
import { listFolder, readBytes, removeFile } from '../../platform/files.ts'
import { joinPath } from '../../platform/paths.ts'
import { type TableLayout, walSegmentNumber } from '../layout.ts'
import type { BatchCodec } from './batch-codec.ts'
import { readSegment } from './segment-reader.ts'

/**
 * Replays the WAL after segment `flushedThrough`: removes flushed segments, truncates torn tails,
 * copies damaged segments to `_quarantine` and reports them, and passes the rows to `apply` in log
 * order.
 *
 * @returns the number of the next segment to write
 */
export async function recoverLog(options: {
  layout: TableLayout
  codec: BatchCodec
  flushedThrough: number
  log: Log
  apply: (rows: readonly Row[]) => Promise<void>
}): Promise<number> {
  const { layout, codec, flushedThrough, log } = options
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
    const bytes = await readBytes(file)
    const { rows, validBytes, damaged } = readSegment(bytes, codec)
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
    if (rows.length > 0) await options.apply(rows)
    log.info({ file: name, rows: rows.length }, 'replayed WAL segment')
  }
  await syncFolder(layout.wal)
  return last + 1
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
