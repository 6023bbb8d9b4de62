import { notMaskedSql } from '../lib/not-masked.ts'
import { itemAt } from '../lib/present.ts'
import type { SqlValue } from '../lib/sql.ts'
import { type Cell, columnIndex, type Row, type Table } from '../lib/table.ts'

/** Identity of a row: project and id, joined by a character that neither contains. */
export type RowKey = string

export const rowKey = (project: string, id: string): RowKey => `${project}\n${id}`

export function splitKey(key: RowKey): [project: string, id: string] {
  const at = key.indexOf('\n')
  return [key.slice(0, at), key.slice(at + 1)]
}

/**
 * Rows of the table from some of its columns, which an answer has in this order. All other cells
 * are null.
 */
export function* rowsOfColumns(table: Table, names: readonly string[], columns: readonly Cell[][]): Generator<Row> {
  const count = columns[0]?.length ?? 0
  const known = names.map((name, index) => ({ cell: columnIndex(table, name), values: itemAt(columns, index) }))
  for (let at = 0; at < count; at++) {
    const row = new Array<Cell>(table.columns.length).fill(null)
    for (const { cell, values } of known) row[cell] = values[at] ?? null
    yield row
  }
}

/** Condition: the row of `other` has the same key as the row of `t`. */
export const sameKey = (table: Table, other: string): string =>
  table.key.map((name) => `t."${name}" = ${other}."${name}"`).join(' AND ')

/** Condition: the mask table does not hide the row of `t`. */
export const notMasked = (table: Table, maskName: string): string => notMaskedSql('t', table.key, [maskName])

/** A FROM item `k` over the keys that `keyLists` binds to `$1` and `$2`. */
export const listedKeys = ({ key: [project, id] }: Table): string =>
  `(SELECT unnest($1) AS "${project}", unnest($2) AS "${id}") k`

export function keyLists(keys: readonly RowKey[]): SqlValue[] {
  const split = keys.map(splitKey)
  return [{ texts: split.map(([project]) => project) }, { texts: split.map(([, id]) => id) }]
}
