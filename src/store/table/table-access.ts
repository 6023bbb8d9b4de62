import type { Table } from '../../kernel/table.ts'
import { fileColumns } from '../data-files/file-columns.ts'
import type { DeltaState } from '../delta/delta-state.ts'
import { whyUnreadable, whyUnwritable } from '../delta/protocol-support.ts'
import { columnsOfSchema, whyOtherSchema } from '../delta/schema-string.ts'
import { FolderRefused } from '../folder-refused.ts'

/** @throws FolderRefused where other programs have made a table what this version cannot read */
export function demandReadable(name: string, { protocol, metaData }: DeltaState): void {
  if (protocol === undefined || metaData === undefined) return
  const why = whyUnreadable({ protocol, metaData })
  if (why !== undefined) throw new FolderRefused(sentence(name, why))
}

/** The same, of the columns too. @throws FolderRefused */
export function demandReadableAs(table: Table, state: DeltaState): void {
  demandReadable(table.name, state)
  if (state.metaData === undefined) return
  const why = whyOtherSchema(fileColumns(table), state.metaData, table)
  if (why !== undefined) throw new FolderRefused(sentence(table.name, why))
}

/** Why a table that can be read takes no rows of ours; undefined where it does. */
export function writeRefusal(table: Table, { protocol, metaData }: DeltaState): string | undefined {
  if (protocol === undefined || metaData === undefined) return undefined
  const why = whyUnwritable({ protocol, metaData })
  return why && sentence(table.name, why)
}

/** Columns that a table has to get before rows are written to it. */
export function lackedColumns(table: Table, { metaData }: DeltaState): string[] {
  const present = metaData === undefined ? [] : columnsOfSchema(metaData.schemaString)
  return fileColumns(table)
    .map(({ name }) => name)
    .filter((name) => !present.includes(name))
}

const sentence = (name: string, why: string): string =>
  `Use the table ${name}: another program has changed it, and it ${why}; nothing in it is touched. Change that back, or use another version`
