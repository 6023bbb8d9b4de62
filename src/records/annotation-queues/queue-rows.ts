import type { Table } from '../../kernel/table.ts'
import { ascendingBy } from '../../query/sort.ts'
import { tableCatalog } from '../../query/table-catalog.ts'
import { TableRows } from '../table-rows.ts'
import type { QueueDependencies } from './dependencies.ts'

/** Questions about one of the tables of this folder, whose columns are named on the wire as they are stored. */
export const queueRows = ({ store }: QueueDependencies, table: Table, direction: 'asc' | 'desc'): TableRows =>
  new TableRows({
    store,
    table,
    rules: {
      catalog: tableCatalog({ columns: table.columns.filter(({ storedIn }) => storedIn !== 'wal') }),
      otherwise: [{ field: 'created_at', direction }],
      tieBreaker: ascendingBy('id'),
    },
  })
