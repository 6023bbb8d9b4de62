import { v7 as uuid } from 'uuid'
import type { Table } from '../../lib/table.ts'
import { fileColumns } from '../data-files/file-scan.ts'
import { type Action, commitInfo, type MetaData } from '../delta/actions.ts'
import { schemaString } from '../delta/schema-string.ts'

/**
 * The first commit of a new table, or one that adds columns. Settings of other engines are kept.
 */
export function tableActions(table: Table, nowMs: number, before: MetaData['metaData'] | undefined): Action[] {
  const columns = fileColumns(table)
  if (before !== undefined)
    return [
      commitInfo('ADD COLUMNS', {}, nowMs),
      { metaData: { ...before, schemaString: schemaString(columns, before.schemaString) } },
    ]
  const metaData = {
    id: uuid(),
    name: table.name,
    format: { provider: 'parquet', options: {} },
    schemaString: schemaString(columns),
    partitionColumns: [],
    configuration: {},
    createdTime: nowMs,
  }
  return [
    { protocol: { minReaderVersion: 1, minWriterVersion: 2 } },
    { metaData },
    commitInfo('CREATE TABLE', {}, nowMs),
  ]
}
