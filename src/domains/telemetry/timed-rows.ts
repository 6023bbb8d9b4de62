import type { Store } from '../../engine/store.ts'
import { clientColumns, type DescribedTable } from '../../engine/tables/define-table.ts'
import { spellingsOf } from '../../formats/dialect/names.ts'
import type { OutputNames } from '../../query/call-output.ts'
import { ascendingBy, type SortRules } from '../../query/sort.ts'
import { tableCatalog } from '../../query/table-catalog.ts'
import type { RowsRequest } from '../../query/table-plan.ts'
import type { ProjectReader } from '../access/index.ts'
import { TableRows } from '../records/index.ts'

/** The fields of a table's rows; oldest first by default. */
export const timedRules = (table: DescribedTable, { nameOf }: OutputNames): SortRules => ({
  catalog: tableCatalog({ columns: clientColumns(table), namesOf: spellingsOf, nameOf }),
  otherwise: [{ field: 'time', direction: 'asc' }],
  tieBreaker: ascendingBy('id'),
})

/** Queries of the rows of a table with times: `logs/query` and `metrics/query`. */
export class TimedRows {
  private readonly rows: TableRows
  private readonly answered: readonly string[]

  constructor({ store, dialect }: { readonly store: Store; readonly dialect: OutputNames }, table: DescribedTable) {
    this.rows = new TableRows({ store, table, rules: timedRules(table, dialect) })
    this.answered = clientColumns(table).map(({ name }) => dialect.nameOf(name))
  }

  /**
   * Rows as JSON texts in batches; members have the order and names of the request.
   *
   * @throws DomainError InvalidField, InvalidRequest; ValidationError
   */
  query(
    reader: ProjectReader,
    { fields, ...request }: RowsRequest & { readonly fields?: readonly string[] | null | undefined },
    signal: AbortSignal,
  ): AsyncGenerator<string[]> {
    const names = fields && fields.length > 0 ? [...new Set(fields)] : this.answered
    return this.rows.texts(reader, names, request, { leftOut: new Map(), signal })
  }
}
