import { type RecordBatch, RecordBatchStreamWriter, type Schema } from 'apache-arrow'

/** End-of-stream marker of the Arrow IPC streaming format. */
export const endOfStream = new Uint8Array([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0])

/** The schema message: what an Arrow IPC stream starts with. */
export function schemaMessage(schema: Schema): Uint8Array {
  const writer = new RecordBatchStreamWriter()
  writer.reset(undefined, schema)
  writer.finish()
  return withoutMarker(writer.toUint8Array(true))
}

/** One record batch message of a stream whose schema message has `headerBytes` bytes. */
export function batchMessage(schema: Schema, headerBytes: number, batch: RecordBatch): Uint8Array {
  const writer = new RecordBatchStreamWriter()
  writer.reset(undefined, schema)
  writer.write(batch)
  writer.finish()
  return withoutMarker(writer.toUint8Array(true)).subarray(headerBytes)
}

const withoutMarker = (stream: Uint8Array): Uint8Array => stream.subarray(0, stream.byteLength - endOfStream.byteLength)
