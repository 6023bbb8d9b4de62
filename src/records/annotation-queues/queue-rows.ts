import { ascendingBy } from '../../query/sort.ts'
import { tableCatalog } from '../../query/table-catalog.ts'
import { clientColumns, type DescribedTable } from '../../tables/define-table.ts'
import { TableRows } from '../table-rows.ts'
import type { QueueDependencies } from './dependencies.ts'

/** Questions about one of the tables of this folder, whose columns are named on the wire as they are stored. */
export const queueRows = ({ store }: QueueDependencies, table: DescribedTable, direction: 'asc' | 'desc'): TableRows =>
  new TableRows({
    store,
    table,
    rules: {
      catalog: tableCatalog({ columns: clientColumns(table) }),
      otherwise: [{ field: 'created_at', direction }],
      tieBreaker: ascendingBy('id'),
    },
  })
