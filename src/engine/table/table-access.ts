import type { Table } from '../../lib/table.ts'
import { fileColumns } from '../data-files/file-columns.ts'
import { DataFolderError } from '../data-folder-error.ts'
import type { DeltaState } from '../delta/delta-state.ts'
import { unreadableReason, unwritableReason } from '../delta/protocol-support.ts'
import { columnsOfSchema, schemaMismatch } from '../delta/schema-string.ts'

/** @throws DataFolderError if other engines have made the table unreadable for this version */
export function requireReadable(name: string, { protocol, metaData }: DeltaState): void {
  if (protocol === undefined || metaData === undefined) return
  const why = unreadableReason({ protocol, metaData })
  if (why !== undefined) throw new DataFolderError(accessError(name, why))
}

/**
 * The same, including the columns.
 * @throws DataFolderError
 */
export function requireSchema(table: Table, state: DeltaState): void {
  requireReadable(table.name, state)
  if (state.metaData === undefined) return
  const why = schemaMismatch(fileColumns(table), state.metaData, table)
  if (why !== undefined) throw new DataFolderError(accessError(table.name, why))
}

/** Why a readable table cannot be written to; undefined if it can. */
export function writeRefusal(table: Table, { protocol, metaData }: DeltaState): string | undefined {
  if (protocol === undefined || metaData === undefined) return undefined
  const why = unwritableReason({ protocol, metaData })
  return why && accessError(table.name, why)
}

/** Columns that have to be added to a table before rows are written to it. */
export function missingColumns(table: Table, { metaData }: DeltaState): string[] {
  const present = metaData === undefined ? [] : columnsOfSchema(metaData.schemaString)
  return fileColumns(table)
    .map(({ name }) => name)
    .filter((name) => !present.includes(name))
}

const accessError = (name: string, why: string): string =>
  `Cannot use table ${name}: another engine has changed it, and it ${why}. Nothing in it was touched. Revert the ` +
  `change, or use another version`
