import { type Column, columnIndex, type Table } from '../../lib/table.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import { fileColumns } from '../data-files/file-columns.ts'
import type { Memtable } from './memtable.ts'

/** Creates the DuckDB tables that hold the rows and the mask of a memtable. */
export async function createTables(writer: Writer, table: Table, memtable: Memtable): Promise<void> {
  await writer.createTable(memtable.tableName, fileColumns(table))
  await writer.createTable(memtable.maskName, maskColumns(table))
  memtable.hasTables = true
}

export async function dropTables(writer: Writer, memtable: Memtable): Promise<void> {
  await writer.dropTable(memtable.tableName)
  await writer.dropTable(memtable.maskName)
}

const maskColumnsByTable = new WeakMap<Table, readonly Column[]>()

/**
 * The columns of a mask table: the key. One array per table, because the writer caches an appender
 * for each array.
 */
export function maskColumns(table: Table): readonly Column[] {
  const known = maskColumnsByTable.get(table)
  if (known) return known
  const columns = table.key.map((name) => table.columns[columnIndex(table, name)]!)
  maskColumnsByTable.set(table, columns)
  return columns
}
