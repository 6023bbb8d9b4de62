import { v7 as uuid } from 'uuid'
import type { Table } from '../../lib/table.ts'
import { fileColumns } from '../data-files/file-scan.ts'
import { type Action, commitInfo, type MetaData } from '../delta/actions.ts'
import { schemaString } from '../delta/schema-string.ts'

/**
 * Table property that says how far `LineageUpkeep` has come: rows from this time on (microseconds)
 * have learned of the rows below them, or all rows. Missing in tables of earlier versions.
 */
export const lineageProperty = 'tracelake.lineage'
export const lineageDone = 'complete'

/** Records how far `LineageUpkeep` has come. */
export const lineageActions = (before: MetaData['metaData'], progress: string, nowMs: number): Action[] => [
  commitInfo('SET TBLPROPERTIES', { properties: JSON.stringify({ [lineageProperty]: progress }) }, nowMs),
  { metaData: { ...before, configuration: { ...before.configuration, [lineageProperty]: progress } } },
]

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
    // Its rows learn as they come.
    configuration: table.lineage === undefined ? {} : { [lineageProperty]: lineageDone },
    createdTime: nowMs,
  }
  return [
    { protocol: { minReaderVersion: 1, minWriterVersion: 2 } },
    { metaData },
    commitInfo('CREATE TABLE', {}, nowMs),
  ]
}
