import { Schema } from 'apache-arrow'
import type { Cell, ColumnType } from '../model/table.ts'
import { arrowColumn, arrowField, recordBatch } from './arrow-columns.ts'
import { batchMessage, endOfStream, schemaMessage } from './arrow-ipc.ts'

/** Arrow IPC stream: one schema, then a record batch per chunk. JSON values are utf8. */
export async function* encodeArrow(
  columns: readonly { readonly name: string; readonly type: ColumnType }[],
  chunks: AsyncGenerator<readonly (readonly Cell[])[]>,
): AsyncGenerator<Uint8Array> {
  const schema = new Schema(columns.map(arrowField))
  const header = schemaMessage(schema)
  yield header
  for await (const cells of chunks) {
    const count = cells[0]?.length ?? 0
    const data = columns.map(({ type }, index) => arrowColumn(type, count, (row) => cells[index]![row]))
    yield batchMessage(schema, header.byteLength, recordBatch(schema, count, data))
  }
  yield endOfStream
}
