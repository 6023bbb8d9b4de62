import { present, valueAt } from '../../lib/present.ts'
import { type Column, cellReader, columnIndex, type Row, type Table } from '../../lib/table.ts'
import { cellAt, keyPositions } from '../../lib/typed-rows.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import { rowKey, splitKey } from '../row-key.ts'
import { type Memtable, maskColumns, touchedMs } from './memtable.ts'
import { type RetainedRows, tombstoneOf, type WaitingKeys } from './retained-rows.ts'
import { readRows } from './stored-rows.ts'

/**
 * Lets the next memtable, which nothing reads yet, hide the earlier versions, and gives it the rows
 * that replace them.
 *
 * @returns rows for the next segment of the log
 */
export async function keepWaiting(
  writer: Writer,
  table: Table,
  { memtable, next }: { memtable: Memtable; next: Memtable },
  waiting: WaitingKeys,
): Promise<readonly Row[]> {
  if (waiting.size === 0) return []
  const deleted = [...waiting].filter((key) => memtable.tombstones.has(key))
  const replaced = [...waiting].filter((key) => !memtable.tombstones.has(key))
  const rows: Row[] = []
  for await (const row of readRows(writer, table, `"${memtable.tableName}"`, replaced)) {
    if (table.wholeColumn !== undefined) row[columnIndex(table, table.wholeColumn)] = 1
    rows.push(row)
  }
  if (rows.length < replaced.length) throw new Error('Rows that replace others are missing in the memtable')
  const isKept = (column: Column) => column.storedIn !== 'wal'
  await writer.transaction(async () => {
    await writer.append(next.tableName, table.columns, rows, isKept)
    await writer.append(next.maskName, maskColumns(table), [...waiting].map(splitKey))
  })
  const tombstones = deleted.map((key) => [key, tombstoneOf(table, valueAt(memtable.tombstones, key))] as const)
  for (const [key, row] of tombstones) {
    next.masked.add(key)
    next.tombstones.set(key, row)
  }
  const { project, id } = keyPositions(table)
  for (const row of rows) {
    const key = rowKey(cellAt(row, project), cellAt(row, id))
    const change = valueAt(memtable.replaced, key)
    next.masked.add(key)
    next.keys.add(key)
    next.replaced.set(key, change)
    next.bytes += change.bytes
    next.indexBuilder.add(cellReader(row))
  }
  return [...tombstones.map(([, row]) => row), ...rows]
}

/**
 * When the oldest row arrived that is missing in the files, or whose earlier version is still
 * there, in milliseconds; undefined if there is none. Only visible ones among the retained rows are
 * missing, and they come last.
 */
export function oldestBehindMs(
  table: Table,
  memtable: Memtable,
  { rows, tableKeys }: RetainedRows,
  waiting: WaitingKeys,
): number | undefined {
  const missing = tableKeys.length === 0 ? [] : rows.slice(-tableKeys.length)
  const times = [
    ...missing.map((row) => touchedMs(table, row)),
    ...[...waiting].map((key) => present(memtable.changeOf(key), 'The change of a row').sinceMs),
  ]
  return times.length === 0 ? undefined : times.reduce((oldest, time) => Math.min(oldest, time))
}
