import type { Writer } from '../../duck/writer.ts'
import { type Column, columnIndex, type Table } from '../../kernel/table.ts'
import { fileColumns } from '../data-files/file-columns.ts'
import type { Generation } from './generation.ts'

/** Makes the tables in DuckDB that hold the rows and the mask of a generation. */
export async function createTables(writer: Writer, table: Table, generation: Generation): Promise<void> {
  await writer.createTable(generation.tableName, fileColumns(table))
  await writer.createTable(generation.maskName, maskColumns(table))
  generation.hasTables = true
}

export async function dropTables(writer: Writer, generation: Generation): Promise<void> {
  await writer.dropTable(generation.tableName)
  await writer.dropTable(generation.maskName)
}

const maskColumnsByTable = new WeakMap<Table, readonly Column[]>()

/** Columns of a mask table: the key. One array per table, because the writer keeps an appender for each. */
export function maskColumns(table: Table): readonly Column[] {
  const known = maskColumnsByTable.get(table)
  if (known) return known
  const columns = table.key.map((name) => table.columns[columnIndex(table, name)]!)
  maskColumnsByTable.set(table, columns)
  return columns
}
