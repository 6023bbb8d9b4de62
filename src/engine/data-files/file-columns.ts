import type { Column, Table } from '../../lib/table.ts'

/** The columns of a table that are stored in its data files. */
export const fileColumns = (table: Table): Column[] => table.columns.filter((column) => column.storedIn !== 'wal')

/** Their names as a select list over `t`. */
export const fileColumnList = (table: Table): string =>
  fileColumns(table)
    .map(({ name }) => `t."${name}"`)
    .join(', ')
