import { Field, Float64, Int64, List, TimestampMicrosecond, Uint32, Utf8 } from 'apache-arrow'
import type { ColumnType } from '../../lib/table.ts'

/** Column types of a batch: those of our tables, and unsigned 32-bit integers for checksums. */
export type ArrowColumnType = ColumnType | 'uint32'

const arrowTypes = {
  text: new Utf8(),
  json: new Utf8(),
  time: new TimestampMicrosecond('UTC'),
  integer: new Int64(),
  number: new Float64(),
  texts: new List(new Field('item', new Utf8(), true)),
  uint32: new Uint32(),
} as const satisfies Record<ArrowColumnType, unknown>

export const arrowField = (column: { readonly name: string; readonly type: ArrowColumnType }): Field =>
  new Field(column.name, arrowTypes[column.type], column.type !== 'uint32')
