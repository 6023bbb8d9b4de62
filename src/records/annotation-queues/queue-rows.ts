import { ascendingBy } from '../../query/sort.ts'
import { tableCatalog } from '../../query/table-catalog.ts'
import { clientColumns, type DescribedTable } from '../../tables/define-table.ts'
import { TableRows } from '../table-rows.ts'
import type { QueueDependencies } from './dependencies.ts'

/** Queries of the tables of this folder, whose columns have the same names in the API. */
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
