import { RecordBatchStreamWriter, Schema } from 'apache-arrow'
import { concatBytes } from '../../lib/bytes.ts'
import type { Cell, ColumnType } from '../../lib/table.ts'
import { arrowField } from './arrow-columns.ts'
import { RecordBatchWriter } from './record-batch-writer.ts'

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

/** Encodes an Arrow IPC stream: one schema, then a record batch per chunk. JSON values are utf8. */
export async function* encodeArrow(
  columns: readonly { readonly name: string; readonly type: ColumnType }[],
  chunks: AsyncGenerator<readonly (readonly Cell[])[]>,
): AsyncGenerator<Uint8Array> {
  const schema = new Schema(columns.map(arrowField))
  const writer = new RecordBatchWriter(columns.map(({ type }) => type))
  // Sent with the first batch, so that a query failing before it yields an error response.
  let head: Uint8Array | undefined = schemaMessage(schema)
  for await (const cells of chunks) {
    const count = cells[0]?.length ?? 0
    const message = writer.write(
      count,
      cells.map((column) => (row) => column[row]),
    )
    // Copied, because the writer reuses its buffer while the client may still be reading.
    yield head === undefined ? message.slice() : concatBytes([head, message])
    head = undefined
  }
  if (head !== undefined) yield head
  yield endOfStream
}
