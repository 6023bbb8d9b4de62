import { Message } from 'apache-arrow/ipc/metadata/message'
import { statedBatch } from '../../formats/wire/record-batch-reader.ts'
import type { Row } from '../../lib/table.ts'
import { checksum } from '../../runtime/platform/files/bytes.ts'
import type { BatchCodec } from './batch-codec.ts'

/** The contents of a WAL segment. */
export interface SegmentContent extends SegmentParts {
  readonly rows: Row[]
}

/** Where the intact batches of a WAL segment are. */
export interface SegmentScan extends SegmentParts {
  /** The schema message that they are read with. */
  readonly header: Uint8Array
  /** Byte ranges [from, to) in log order. */
  readonly batches: readonly { from: number; to: number }[]
}

interface SegmentParts {
  /** Length of the valid part. If less than the file's size, the rest is a torn tail. */
  readonly validBytes: number
  /** Byte ranges [from, to) before valid batches that no batch could be read from. */
  readonly damaged: readonly { from: number; to: number }[]
}

const continuation = 0xffffffff

/** All rows of a WAL segment; see `scanSegment`. */
export function readSegment(bytes: Uint8Array, codec: BatchCodec): SegmentContent {
  const { header, batches, validBytes, damaged } = scanSegment(bytes, codec)
  const rows = batches.flatMap(({ from, to }) => codec.decode(header, bytes.subarray(from, to)))
  return { rows, validBytes, damaged }
}

/**
 * Finds the batches of a WAL segment and verifies each checksum. Unreadable bytes at the end are a
 * torn tail; unreadable bytes before a valid batch are damage. Batches after a damaged schema
 * message are read with the current one.
 */
export function scanSegment(bytes: Uint8Array, codec: BatchCodec): SegmentScan {
  const first = nextMessage(bytes, 0)
  const own = first !== undefined && first.rowCount === undefined ? bytes.subarray(0, first.end) : undefined
  if (own !== undefined && (isSame(own, codec.header) || hasBatches(bytes, own, codec))) {
    return findBatches(bytes, own.byteLength, own, codec)
  }
  const from = findIntactBatch(bytes, 0, codec, checksum(codec.header))
  // Nothing is readable: a torn start if it is no longer than a schema message, damage otherwise.
  if (from === undefined) {
    const isTorn = bytes.byteLength <= codec.header.byteLength
    const damaged = isTorn ? [] : [{ from: 0, to: bytes.byteLength }]
    return { header: codec.header, batches: [], validBytes: 0, damaged }
  }
  const found = findBatches(bytes, from, codec.header, codec)
  return { ...found, damaged: [{ from: 0, to: from }, ...found.damaged] }
}

const hasBatches = (bytes: Uint8Array, header: Uint8Array, codec: BatchCodec): boolean =>
  findIntactBatch(bytes, header.byteLength, codec, checksum(header)) !== undefined

const isSame = (a: Uint8Array, b: Uint8Array): boolean =>
  a.byteLength === b.byteLength && a.every((byte, index) => byte === b[index])

function findBatches(bytes: Uint8Array, start: number, header: Uint8Array, codec: BatchCodec): SegmentScan {
  const headerChecksum = checksum(header)
  const batches: { from: number; to: number }[] = []
  const damaged: { from: number; to: number }[] = []
  let at = start
  while (at < bytes.byteLength) {
    const message = intactBatch(bytes, at, codec, headerChecksum)
    if (message !== undefined) {
      batches.push({ from: at, to: message.end })
      at = message.end
      continue
    }
    const next = findIntactBatch(bytes, at + 8, codec, headerChecksum)
    if (next === undefined) {
      // A tear leaves an incomplete message; a complete one with a wrong checksum is damage.
      if (nextMessage(bytes, at)?.rowCount !== undefined) damaged.push({ from: at, to: bytes.byteLength })
      break
    }
    damaged.push({ from: at, to: next })
    at = next
  }
  return { header, batches, validBytes: at, damaged }
}

interface FoundMessage {
  readonly end: number
  /** Rows of a record batch; undefined for the schema. */
  readonly rowCount: number | undefined
}

/** The complete message that starts at `at`, if any (framing of the Arrow IPC streaming format). */
function nextMessage(bytes: Uint8Array, at: number): FoundMessage | undefined {
  if (at + 8 > bytes.byteLength) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset + at)
  if (view.getUint32(0, true) !== continuation) return undefined
  const metadataBytes = view.getInt32(4, true)
  if (metadataBytes <= 0 || at + 8 + metadataBytes > bytes.byteLength) return undefined
  try {
    const message = Message.decode(bytes.subarray(at + 8, at + 8 + metadataBytes))
    const end = at + 8 + metadataBytes + message.bodyLength
    if (end > bytes.byteLength || message.bodyLength < 0) return undefined
    return { end, rowCount: message.isRecordBatch() ? message.header().length : undefined }
  } catch {
    // Damaged or torn metadata does not decode; the caller decides which it is.
    return undefined
  }
}

function intactBatch(
  bytes: Uint8Array,
  at: number,
  codec: BatchCodec,
  headerChecksum: number,
): FoundMessage | undefined {
  // Most messages are intact. Decoding the metadata into objects takes longer than the checksum.
  const stated = statedBatch(bytes, at)
  if (stated !== undefined && codec.isIntact(bytes.subarray(at, stated.end), stated.rowCount, headerChecksum))
    return stated
  const message = nextMessage(bytes, at)
  if (message?.rowCount === undefined) return undefined
  return codec.isIntact(bytes.subarray(at, message.end), message.rowCount, headerChecksum) ? message : undefined
}

function findIntactBatch(
  bytes: Uint8Array,
  from: number,
  codec: BatchCodec,
  headerChecksum: number,
): number | undefined {
  // Messages are aligned to 8 bytes.
  for (let at = Math.ceil(from / 8) * 8; at + 8 <= bytes.byteLength; at += 8) {
    if (bytes[at] === 0xff && bytes[at + 3] === 0xff && intactBatch(bytes, at, codec, headerChecksum)) return at
  }
  return undefined
}
