import { Field, Float64, Int64, List, TimestampMicrosecond, Uint32, Utf8 } from 'apache-arrow'
import type { Cell, ColumnType } from '../../lib/table.ts'

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

export type CellAt = (row: number) => Cell | undefined

/** Texts as UTF-8, which are copied as they are. None of them is null. */
export interface EncodedTexts {
  readonly bytes: Buffer
  /** Where the text of a row begins, and where it ends. */
  readonly from: (row: number) => number
  readonly to: (row: number) => number
}

/** The cells of a column, which may be encoded already if they are texts. */
export type Cells = CellAt | EncodedTexts

/** Field nodes and buffers of a column. A list has those of its elements, too. */
export function partsOf(type: ArrowColumnType): { readonly nodes: number; readonly regions: number } {
  if (type === 'texts') return { nodes: 2, regions: 5 }
  return { nodes: 1, regions: type === 'text' || type === 'json' ? 3 : 2 }
}
