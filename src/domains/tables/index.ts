/**
 * Uploaded tables of rows. Other code imports this subject through this file.
 */

export { noteRow, type SentRows } from './apply-updates.ts'
export { tablesApi } from './operations/index.ts'
export type { PrintedRows } from './printed-rows.ts'
export type { TableReader } from './read-tables.ts'
export { RowTables } from './row-tables.ts'
