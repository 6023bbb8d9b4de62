import { Caller } from '../../foundation/access/caller.ts'
import { ascendingBy } from '../../query/sort.ts'
import { tableCatalog } from '../../query/table-catalog.ts'
import type { Store } from '../../store/store.ts'
import type { DescribedTable } from '../../tables/define-table.ts'
import { rulesPartition } from '../../tables/rules-tables.ts'
import { TableRows } from '../table-rows.ts'

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
