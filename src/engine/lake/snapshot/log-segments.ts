import { concatBytes } from '../../../lib/bytes.ts'
import { lakeLimits } from '../../../lib/limits/objects.ts'
import { areSameBytes } from '../../../runtime/platform/files/bytes.ts'
import { ensureFolderDurably, writeFileDurably } from '../../../runtime/platform/files/durable-files.ts'
import { removeFolder } from '../../../runtime/platform/files/files.ts'
import type { TableLayout } from '../../layout.ts'
import type { LogObject } from '../log-object.ts'

interface Segment {
  readonly number: number
  readonly header: Uint8Array
  readonly pieces: Uint8Array[]
  bytes: number
}

/**
 * Writes a log of objects as segments of a write-ahead log, in place of those in the folder. Each
 * entry is a segment with a schema of its own; those with the same one share a file. Its number is
 * that of its first object, so a later copy of a log has the same rows under a number, or more.
 *
 * @param numberOf the number of a segment that begins with an object
 */
export async function writeSegments(
  layout: TableLayout,
  log: AsyncIterable<LogObject>,
  numberOf: (object: number) => number,
): Promise<void> {
  await removeFolder(layout.wal)
  await ensureFolderDurably(layout.wal)
  let segment: Segment | undefined
  const end = async (): Promise<void> => {
    if (segment !== undefined && segment.pieces.length > 0)
      await writeFileDurably(layout.walSegment(segment.number), concatBytes([segment.header, ...segment.pieces]))
    segment = undefined
  }
  for await (const { number, entries } of log) {
    const [first] = entries
    if (first === undefined) continue
    const header = headerOf(first)
    const isFull = segment !== undefined && segment.bytes >= lakeLimits.segmentBytesMax
    // All entries of an object are of one process, and so have one schema.
    if (isFull || (segment !== undefined && !areSameBytes(segment.header, header))) await end()
    segment ??= { number: numberOf(number), header, pieces: [], bytes: 0 }
    for (const entry of entries) {
      const batches = entry.subarray(header.length)
      if (batches.length > 0) segment.pieces.push(batches)
      segment.bytes += batches.length
    }
  }
  await end()
}

/** The schema message that an entry begins with (framing of the Arrow IPC streaming format). */
function headerOf(entry: Uint8Array): Uint8Array {
  const metadataBytes = new DataView(entry.buffer, entry.byteOffset, entry.byteLength).getInt32(4, true)
  return entry.subarray(0, 8 + metadataBytes)
}
