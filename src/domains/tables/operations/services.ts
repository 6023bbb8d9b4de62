import type { Streams } from '../../requests/streams.ts'
import type { RowTables } from '../row-tables.ts'

/** The services that these operations are given. */
export interface TablesServices {
  readonly streams: Streams
  readonly tables: RowTables
}
