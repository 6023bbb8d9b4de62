import { RecordBatchStreamWriter, type Schema } from 'apache-arrow'

/** End-of-stream marker of the Arrow IPC streaming format. */
export const endOfStream = new Uint8Array([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0])

/** The schema message that starts an Arrow IPC stream. */
export function schemaMessage(schema: Schema): Uint8Array {
  const writer = new RecordBatchStreamWriter()
  writer.reset(undefined, schema)
  writer.finish()
  const stream = writer.toUint8Array(true)
  return stream.subarray(0, stream.byteLength - endOfStream.byteLength)
}
