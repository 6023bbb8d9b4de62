import type { DescribedTable } from '../../engine/tables/define-table.ts'
import { tables } from '../../engine/tables/tables.ts'
import { usageView } from './computed-columns.ts'

/**
 * Names of the tables that statements of users may read: what the operations show as well. Others
 * hold work in progress, or settings that may contain credentials.
 */
const names: ReadonlySet<string> = new Set([
  'calls',
  'feedback',
  'costs',
  'objects',
  'object_labels',
  'files',
  'annotation_queues',
  'annotation_queue_items',
  'table_rows',
  'logs',
  'metrics',
])

/** The tables that statements of users may read, restricted to one project. */
export const sqlTables: readonly DescribedTable[] = tables.filter(({ name }) => names.has(name))

/** Columns of a readable table, without the project: it is the same in all rows. */
export const sqlColumns = ({ columns }: DescribedTable) => columns.filter(({ storedIn }) => storedIn !== 'wal')

/** Everything that a statement of a user may name as a table. */
export const readableNames: readonly string[] = [...sqlTables.map(({ name }) => name), usageView.name]
