import { CompressionType, MessageHeader, MetadataVersion } from 'apache-arrow'
import { BodyCompression, BufferRegion, type FieldNode, Message, RecordBatch } from 'apache-arrow/ipc/metadata/message'
import { compressZstd, decompressZstdAtOnce } from '../../runtime/platform/files/zstd.ts'

/** Alignment of buffers in bytes. */
const alignment = 8
/** Shorter messages stay as they are: they are of few rows, which would hardly become smaller. */
const messageBytesMin = 16 * 1024
const bufferBytesMin = 512
/** Before each buffer of a compressed message: its length before compression, or -1. */
const prefixBytes = 8
const asItWas = -1n

/** The parts of a record batch message. */
interface BatchParts {
  readonly count: number
  readonly nodes: readonly FieldNode[]
  /** As they are in the message. */
  readonly buffers: readonly Uint8Array[]
  readonly isCompressed: boolean
}

/**
 * A record batch message of the Arrow IPC format with its buffers compressed by zstd, as the format
 * provides, but for the last one, whose bytes remain the last of the message. Short messages are
 * returned as they are, others in memory of their own.
 */
export function compressBatch<Bytes extends Uint8Array>(message: Bytes): Bytes | Uint8Array<ArrayBuffer> {
  if (message.byteLength < messageBytesMin) return message
  const parts = partsOfBatch(message)
  const last = parts.buffers.length - 1
  const buffers = parts.buffers.map((buffer, index) => packed(buffer, index < last))
  return batchOf({ ...parts, buffers, isCompressed: true })
}

/** The message before `compressBatch`. A message that is not compressed is returned as it is. */
export function decompressBatch(message: Uint8Array): Uint8Array {
  const parts = partsOfBatch(message)
  return parts.isCompressed ? batchOf({ ...parts, buffers: parts.buffers.map(unpacked), isCompressed: false }) : message
}

/** How many nodes and buffers are in a message before one of its columns. */
export interface PartsBefore {
  readonly nodes: number
  readonly buffers: number
}

/**
 * A message with another column in the place of one of its own, in memory of its own.
 *
 * @param column a message that is not compressed and has that column alone
 */
export function replaceColumn(message: Uint8Array, column: Uint8Array, at: PartsBefore): Uint8Array {
  const parts = partsOfBatch(message)
  const { nodes, buffers } = partsOfBatch(column)
  const written = parts.isCompressed ? buffers.map((buffer) => packed(buffer, true)) : buffers
  return batchOf({
    ...parts,
    nodes: parts.nodes.toSpliced(at.nodes, nodes.length, ...nodes),
    buffers: parts.buffers.toSpliced(at.buffers, written.length, ...written),
  })
}

function partsOfBatch(message: Uint8Array): BatchParts {
  const view = new DataView(message.buffer, message.byteOffset)
  const bodyAt = 8 + view.getInt32(4, true)
  const decoded = Message.decode(message.subarray(8, bodyAt))
  if (!decoded.isRecordBatch()) throw new Error('Cannot read a record batch: the message is of another kind')
  const { length, nodes, buffers, compression } = decoded.header()
  if (compression !== null && compression.type !== CompressionType.ZSTD)
    throw new Error('Cannot read a record batch: it is not compressed by zstd')
  return {
    count: length,
    nodes,
    buffers: buffers.map(({ offset, length }) => message.subarray(bodyAt + offset, bodyAt + offset + length)),
    isCompressed: compression !== null,
  }
}

function batchOf({ count, nodes, buffers, isCompressed }: BatchParts): Uint8Array<ArrayBuffer> {
  const regions: BufferRegion[] = []
  let bodyBytes = 0
  for (const { byteLength } of buffers) {
    regions.push(new BufferRegion(bodyBytes, byteLength))
    bodyBytes = aligned(bodyBytes + byteLength)
  }
  const compression = isCompressed ? new BodyCompression(CompressionType.ZSTD) : null
  const batch = new RecordBatch(count, [...nodes], regions, compression)
  const metadata = Message.encode(new Message(bodyBytes, MetadataVersion.V5, MessageHeader.RecordBatch, batch))
  const bodyAt = aligned(8 + metadata.byteLength)
  const message = new Uint8Array(bodyAt + bodyBytes)
  const view = new DataView(message.buffer)
  view.setInt32(0, -1, true)
  view.setInt32(4, bodyAt - 8, true)
  message.set(metadata, 8)
  for (const [index, { offset }] of regions.entries()) message.set(buffers[index] ?? [], bodyAt + offset)
  return message
}

function packed(buffer: Uint8Array, mayCompress: boolean): Uint8Array {
  // An empty buffer has no prefix either.
  if (buffer.byteLength === 0) return buffer
  const frame = mayCompress && buffer.byteLength >= bufferBytesMin ? compressZstd(buffer) : undefined
  return frame === undefined || frame.byteLength >= buffer.byteLength
    ? prefixed(buffer, asItWas)
    : prefixed(frame, BigInt(buffer.byteLength))
}

function prefixed(bytes: Uint8Array, length: bigint): Uint8Array {
  const whole = new Uint8Array(prefixBytes + bytes.byteLength)
  new DataView(whole.buffer).setBigInt64(0, length, true)
  whole.set(bytes, prefixBytes)
  return whole
}

/** A buffer of a compressed message before compression; it may be memory of the message. */
export function unpacked(buffer: Uint8Array): Uint8Array {
  if (buffer.byteLength === 0) return buffer
  const length = new DataView(buffer.buffer, buffer.byteOffset).getBigInt64(0, true)
  const bytes = buffer.subarray(prefixBytes)
  return length === asItWas ? bytes : decompressZstdAtOnce(bytes, Number(length))
}

const aligned = (length: number): number => Math.ceil(length / alignment) * alignment
