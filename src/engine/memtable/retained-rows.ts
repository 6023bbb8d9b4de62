import { storageLimits } from '../../lib/limits/storage.ts'
import { cellReader, columnIndex, type Row, rowBytes, type Table } from '../../lib/table.ts'
import { cellAt, keyPositions } from '../../lib/typed-rows.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import { fileColumnList, fileColumns } from '../data-files/file-scan.ts'
import { keyLists, listedKeys, type RowKey, rowKey, rowsOfColumns, sameKey, splitKey } from '../row-key.ts'
import { type Memtable, touchedMs } from './memtable.ts'
import type { OlderLayers } from './stored-rows.ts'

/**
 * Keys of rows, deleted or replaced, whose earlier versions stay in data files when a memtable is
 * flushed.
 */
export type WaitingKeys = ReadonlySet<RowKey>

/** Rows that stay in memory when the rest of a memtable is flushed. */
export interface RetainedRows {
  readonly rows: readonly Row[]
  /** Keys of those in the memtable's DuckDB table. */
  readonly tableKeys: readonly RowKey[]
}

/**
 * Selects the rows to retain over a flush: recent rows without their other half (running calls),
 * parts that cannot be shown, and recent tombstones, so that a late retry does not resurrect a row.
 * Bounded in rows and bytes; rows beyond the bounds are flushed as they are and replaced when their
 * other half arrives.
 *
 * @param options.retainIncomplete false on shutdown: retains only what cannot be shown
 * @param options.withParts does not retain that either
 */
export async function selectRetainedRows(options: {
  writer: Writer
  table: Table
  memtable: Memtable
  nowMs: number
  retainIncomplete: boolean
  withParts: boolean
  waiting: WaitingKeys
  bytesMax: number
  findInDamagedFiles: OlderLayers['findInDamagedFiles']
}): Promise<RetainedRows> {
  const { writer, table, memtable, nowMs, retainIncomplete, withParts, waiting, bytesMax } = options
  const rows: Row[] = []
  let bytes = 0
  const fits = (row: Row): boolean => {
    if (rows.length >= storageLimits.retainedRowsMax || bytes >= bytesMax) return false
    rows.push(row)
    bytes += rowBytes(row)
    return true
  }
  const oldestMs = nowMs - storageLimits.retainedAgeMs
  // Kept without bound: there is no other place for them until the file is repaired.
  for (const row of memtable.parked.values()) rows.push(row)
  const kept = new Set(await options.findInDamagedFiles(() => [...memtable.tombstones.keys()]))
  for (const [key, row] of memtable.tombstones)
    if (waiting.has(key)) continue
    else if (kept.has(key)) rows.push(tombstoneOf(table, row))
    else if (touchedMs(table, row) > oldestMs) fits(tombstoneOf(table, row))
  const older: Row[] = []
  for (const row of memtable.orphans.values())
    if (withParts || touchedMs(table, row) <= oldestMs || !fits(row)) older.push(row)
  await storeOrphans(writer, table, memtable, older)
  const tableKeys = retainIncomplete ? await selectIncomplete(writer, table, memtable, { oldestMs, waiting, fits }) : []
  return { rows, tableKeys }
}

/**
 * Stores parts that waited too long, or are too many, in the table and so in a file, where readers
 * skip them.
 */
async function storeOrphans(writer: Writer, table: Table, memtable: Memtable, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return
  for (const row of rows) table.derive(row)
  memtable.hasStoredOrphans = true
  await writer.transaction(() =>
    writer.append(memtable.tableName, table.columns, rows, (column) => column.storedIn !== 'wal'),
  )
  const { project, id } = keyPositions(table)
  for (const row of rows) {
    const key = rowKey(cellAt(row, project), cellAt(row, id))
    memtable.keys.add(key)
    memtable.orphans.delete(key)
    memtable.indexBuilder.add(cellReader(row))
  }
}

async function selectIncomplete(
  writer: Writer,
  table: Table,
  memtable: Memtable,
  { oldestMs, waiting, fits }: { oldestMs: number; waiting: WaitingKeys; fits: (row: Row) => boolean },
): Promise<RowKey[]> {
  const names = fileColumns(table).map(({ name }) => name)
  const { project, id } = keyPositions(table)
  const keys: RowKey[] = []
  const found = writer.columns(
    `SELECT ${fileColumnList(table)} FROM "${memtable.tableName}" t
     WHERE "${table.completionColumn}" IS NULL AND "${table.updatedAtColumn}" > $1
     LIMIT ${storageLimits.retainedRowsMax}`,
    [{ micros: oldestMs * 1000 }],
  )
  let full = false
  for await (const chunk of found) {
    for (const row of rowsOfColumns(table, names, chunk)) {
      const key = rowKey(cellAt(row, project), cellAt(row, id))
      if (waiting.has(key)) continue
      full ||= !fits(row)
      if (full) break
      keys.push(key)
    }
  }
  return keys
}

/** A tombstone needs the key, the marker and its age, but not the payload. */
export function tombstoneOf(table: Table, row: Row): Row {
  const kept = new Set(
    [...table.key, table.tombstoneColumn, table.updatedAtColumn].map((name) => columnIndex(table, name)),
  )
  return row.map((cell, index) => (kept.has(index) ? cell : null))
}

/** Keys per statement. */
const keysPerStatement = 8192

/**
 * Removes the rows that stay in memory from the memtable that is about to be flushed. The earlier
 * versions of those that replace others are left in their files, whichever are rewritten.
 */
export async function removeRetained(
  writer: Writer,
  table: Table,
  memtable: Memtable,
  { retained, waiting }: { retained: RetainedRows; waiting: WaitingKeys },
): Promise<void> {
  const replaced = [...waiting].filter((key) => !memtable.tombstones.has(key))
  const removed = [...retained.tableKeys, ...replaced]
  if (removed.length === 0) return
  await writer.transaction(async () => {
    await deleteKeys(writer, table, memtable.tableName, removed)
    await deleteKeys(writer, table, memtable.maskName, replaced)
  })
  for (const key of removed) {
    memtable.keys.delete(key)
    memtable.indexBuilder.exclude(...splitKey(key))
  }
}

async function deleteKeys(writer: Writer, table: Table, name: string, keys: readonly RowKey[]): Promise<void> {
  // Values are bound one by one on this thread.
  for (let from = 0; from < keys.length; from += keysPerStatement) {
    await writer.execute(
      `DELETE FROM "${name}" t USING ${listedKeys(table)} WHERE ${sameKey(table, 'k')}`,
      keyLists(keys.slice(from, from + keysPerStatement)),
    )
  }
}
