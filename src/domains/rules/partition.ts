import type { Store } from '../../engine/store.ts'
import type { DescribedTable } from '../../engine/tables/define-table.ts'
import { rulesPartition } from '../../engine/tables/rules-tables.ts'
import { ascendingBy } from '../../query/sort.ts'
import { tableCatalog } from '../../query/table-catalog.ts'
import { Caller } from '../access/index.ts'
import { TableRows } from '../records/index.ts'

/** Reads the list of the rules of all projects. */
export const partitionReader = new Caller({ userId: 'server', userName: 'server', role: 'admin', scope: '*' }).read(
  rulesPartition,
)

/** Rows of a table of rules, in the order of one of its columns unless a query states another. */
export const partitionRows = (store: Store, table: DescribedTable, order: string): TableRows =>
  new TableRows({
    store,
    table,
    rules: {
      catalog: tableCatalog(table),
      otherwise: [{ field: order, direction: 'asc' }],
      tieBreaker: ascendingBy('id'),
    },
  })

/** The condition that a column has this text. */
export const equals = (column: string, text: string) => ({ $eq: [{ $getField: column }, { $literal: text }] })
