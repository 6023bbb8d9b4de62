import type { Store } from '../../../engine/store.ts'
import { clientColumns } from '../../../engine/tables/define-table.ts'
import { metricsTable } from '../../../engine/tables/metrics-table.ts'
import { toVendorName } from '../../../formats/dialect/names.ts'
import type { OutputNames } from '../../../query/call-output.ts'
import { ascendingBy, type SortRules } from '../../../query/sort.ts'
import { tableCatalog } from '../../../query/table-catalog.ts'
import type { ProjectReader } from '../../access/index.ts'
import { TableRows } from '../../records/index.ts'
import type { MetricsQuery } from '../model/metrics.ts'

const columns = clientColumns(metricsTable)

/** The fields of data points; oldest first by default. */
export const metricRules = ({ nameOf }: OutputNames): SortRules => ({
  catalog: tableCatalog({ columns, namesOf: (name) => [...new Set([name, toVendorName(name)])], nameOf }),
  otherwise: [{ field: 'time', direction: 'asc' }],
  tieBreaker: ascendingBy('id'),
})

/** Implements `metrics/query`. */
export class MetricReader {
  private readonly rows: TableRows
  private readonly answered: readonly string[]

  constructor({ store, dialect }: { readonly store: Store; readonly dialect: OutputNames }) {
    this.rows = new TableRows({ store, table: metricsTable, rules: metricRules(dialect) })
    this.answered = columns.map(({ name }) => dialect.nameOf(name))
  }

  /**
   * Data points as JSON texts in batches; members have the order and names of the request.
   *
   * @throws DomainError InvalidField, InvalidRequest; ValidationError
   */
  query(
    reader: ProjectReader,
    { fields, ...question }: Omit<MetricsQuery, 'project_id'>,
    signal: AbortSignal,
  ): AsyncGenerator<string[]> {
    const names = fields && fields.length > 0 ? [...new Set(fields)] : this.answered
    return this.rows.texts(reader, names, question, { leftOut: new Map(), signal })
  }
}
