import type { Table } from '../../kernel/table.ts'
import { TableRows } from '../table-rows.ts'
import type { QueueDependencies } from './dependencies.ts'

/** Questions about one of the tables of this folder, whose columns are named on the wire as they are stored. */
export const queueRows = (
  { store, queryTimeoutMs }: QueueDependencies,
  table: Table,
  direction: 'asc' | 'desc',
): TableRows =>
  new TableRows({
    store,
    table,
    queryTimeoutMs,
    fields: {
      columns: table.columns.filter(({ storedIn }) => storedIn !== 'wal'),
      neutralName: (name) => name,
      wireName: (name) => name,
    },
    order: [{ field: 'created_at', direction }],
  })
