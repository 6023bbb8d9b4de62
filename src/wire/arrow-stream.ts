import { Schema } from 'apache-arrow'
import { concatBytes } from '../http/inflate.ts'
import type { Cell, ColumnType } from '../kernel/table.ts'
import { arrowField } from './arrow-columns.ts'
import { endOfStream, schemaMessage } from './arrow-ipc.ts'
import { RecordBatchWriter } from './record-batch-writer.ts'

/** Arrow IPC stream: one schema, then a record batch per chunk. JSON values are utf8. */
export async function* encodeArrow(
  columns: readonly { readonly name: string; readonly type: ColumnType }[],
  chunks: AsyncGenerator<readonly (readonly Cell[])[]>,
): AsyncGenerator<Uint8Array> {
  const schema = new Schema(columns.map(arrowField))
  const writer = new RecordBatchWriter(columns.map(({ type }) => type))
  // Goes with the first batch: a query that fails before it is not answered by half.
  let head: Uint8Array | undefined = schemaMessage(schema)
  for await (const cells of chunks) {
    const count = cells[0]?.length ?? 0
    const message = writer.write(
      count,
      cells.map((column) => (row) => column[row]),
    )
    // The writer uses its buffer again while the client still takes this.
    yield head === undefined ? message.slice() : concatBytes([head, message], head.byteLength + message.byteLength)
    head = undefined
  }
  if (head !== undefined) yield head
  yield endOfStream
}
