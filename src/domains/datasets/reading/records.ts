import type { ColumnType } from '../model/datasets.ts'

/** The columns of a file, in its order. */
interface SourceColumn {
  readonly name: string
  /** Of a file that says it; undefined for CSV. */
  readonly type: ColumnType | undefined
}

/** One record of a file. */
export interface SourceRecord {
  /** 1-based line of the file, or row of a Parquet file. */
  readonly line: number
  /**
   * By column: the text of a CSV cell, any JSON value of other files; undefined for a cell without
   * a value.
   */
  readonly cells: readonly unknown[]
}

/** Records of a file in batches. A record that cannot be read is a fault and left out. */
export interface FileReader {
  /** How the file is read, for its users. */
  readonly facts: {
    readonly encoding: string | null
    readonly byte_order_mark: boolean
    readonly delimiter: string | null
    readonly quote: string | null
    readonly header: boolean | null
  }
  /** Whether cells are texts. */
  readonly isText: boolean
  /** Known before the first record of CSV and Parquet; JSON Lines has them record by record. */
  readonly columns: readonly SourceColumn[] | undefined
  records(): AsyncGenerator<readonly SourceRecord[]>
}
