import type { Table } from '../../lib/table.ts'
import { textLiteral } from '../../runtime/duck/column-types.ts'
import { type DataFile, hasOnlyValue, withinBounds } from './data-file.ts'

/** Rows of one project that are to be removed from the data files: all, or those before a time. */
export interface RowsToErase {
  readonly projectId: string
  readonly before?: {
    /** A time column. A row without a value counts by the time of its last write. */
    readonly column: string
    readonly micros: number
  }
}

/** Whether the bounds of a file allow it to contain any of the rows. */
export const mayContainRows = (table: Table, dataFile: DataFile, { projectId, before }: RowsToErase): boolean =>
  withinBounds(dataFile, table.key[0], projectId) && (before === undefined || mayReachBack(dataFile, before))

function mayReachBack({ statistics }: DataFile, { column, micros }: NonNullable<RowsToErase['before']>): boolean {
  const min = statistics.minValues[column]
  return typeof min !== 'string' || statistics.nullCount[column] !== 0 || Date.parse(min) * 1000 < micros
}

/** Whether the bounds of a file prove that all of its rows are to be removed. */
export const containsOnlyRows = (table: Table, dataFile: DataFile, { projectId, before }: RowsToErase): boolean =>
  before === undefined && hasOnlyValue(dataFile, table.key[0], projectId)

/** Condition that the row `t` is one of the rows. */
export function isErasedSql(table: Table, rows: readonly RowsToErase[]): string {
  const conditions = rows.map(({ projectId, before }) => {
    const isOfProject = `t."${table.key[0]}" = ${textLiteral(projectId)}`
    if (before === undefined) return isOfProject
    const time = `coalesce(t."${before.column}", t."${table.updatedAtColumn}")`
    return `(${isOfProject} AND ${time} < make_timestamptz(${Math.floor(before.micros)}))`
  })
  return `coalesce(${conditions.join(' OR ')}, false)`
}
