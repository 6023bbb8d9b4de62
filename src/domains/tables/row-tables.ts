import type { Store } from '../../engine/store.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import { TableReader } from './read-tables.ts'
import { TableWriter } from './write-tables.ts'

/** Tables of rows, the basis of datasets and evaluations. */
export class RowTables {
  readonly writer: TableWriter
  readonly reader: TableReader

  constructor(options: { store: Store; clock: Clock }) {
    this.writer = new TableWriter(options)
    this.reader = new TableReader(options)
  }
}
