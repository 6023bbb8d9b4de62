import type { DuckDBConnection } from '@duckdb/node-api'
import { MiB } from '../../lib/bytes.ts'
import { textLiteral } from './column-types.ts'
import { Database, type DatabaseOptions } from './database.ts'

/** A column of a Parquet file. */
export interface ParquetColumn {
  readonly name: string
  /** DuckDB's name of its type. */
  readonly type: string
}

const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** One Parquet file that others made, opened in a DuckDB of its own that reads nothing else. */
export class ParquetFile {
  private readonly database: Database
  private readonly connection: DuckDBConnection
  private readonly path: string
  readonly columns: readonly ParquetColumn[]

  private constructor(parts: {
    database: Database
    connection: DuckDBConnection
    path: string
    columns: readonly ParquetColumn[]
  }) {
    this.database = parts.database
    this.connection = parts.connection
    this.path = parts.path
    this.columns = parts.columns
  }

  /** @throws Error with the text of DuckDB if the file is damaged or no Parquet */
  static async open(path: string, options: DatabaseOptions): Promise<ParquetFile> {
    const database = await Database.open(options)
    let connection: DuckDBConnection | undefined
    try {
      connection = await database.connect()
      const rows = await connection.runAndReadAll(`DESCRIBE SELECT * FROM read_parquet(${textLiteral(path)})`)
      const columns = rows.getRows().map(([name, type]) => ({ name: String(name), type: String(type) }))
      return new ParquetFile({ database, connection, path, columns })
    } catch (cause) {
      connection?.closeSync()
      database.close()
      throw cause
    }
  }

  /** What a writer noted in the file under a name. */
  async note(name: string): Promise<string | undefined> {
    const rows = await this.connection.runAndReadAll(
      `SELECT decode(value) FROM parquet_kv_metadata(${textLiteral(this.path)})
        WHERE decode(key) = ${textLiteral(name)}`,
    )
    const text: unknown = rows.getRows()[0]?.[0]
    return typeof text === 'string' ? text : undefined
  }

  /**
   * Rows of texts in batches, in order: nested values as JSON, others as DuckDB prints them.
   *
   * @param isNested whether the values of a column are printed as JSON
   * @throws Error if the file is damaged
   */
  async *rows(isNested: (column: ParquetColumn) => boolean): AsyncGenerator<(string | null)[][]> {
    const items = this.columns.map((column) => {
      const name = quotedName(column.name)
      // Only wide decimals keep their digits in JSON.
      const wide = column.type.replace(/DECIMAL\(\d+,(\d+)\)/g, 'DECIMAL(38,$1)')
      if (isNested(column)) return `to_json(${wide === column.type ? name : `${name}::${wide}`})::VARCHAR`
      // The package drops a byte order mark at the beginning of a text.
      return column.type === 'BLOB' ? `base64(${name})` : `'.' || ${name}::VARCHAR`
    })
    const isMarked = this.columns.map((column) => !isNested(column) && column.type !== 'BLOB')
    const result = await this.connection.stream(
      `SELECT ${items.join(', ')} FROM read_parquet(${textLiteral(this.path)})`,
    )
    for (;;) {
      const chunk = await result.fetchChunk()
      if (chunk === null || chunk.rowCount === 0) return
      yield chunk
        .getRows()
        .map((row) => row.map((cell, at) => (cell === null ? null : String(cell).slice(isMarked[at] ? 1 : 0))))
    }
  }

  close(): void {
    this.connection.closeSync()
    this.database.close()
  }
}

const lineBytesMin = 2 * MiB

/** A column to write, and the type that it gets. */
export interface WrittenColumn {
  readonly name: string
  readonly type: 'VARCHAR' | 'JSON' | 'BIGINT' | 'DOUBLE' | 'BOOLEAN'
}

/**
 * Writes a CSV file of texts, with empty cells for nulls and quoted ones for empty texts, as a
 * Parquet file.
 *
 * @param note text that `ParquetFile.note` returns
 */
export async function csvToParquet(
  {
    csv,
    parquet,
    columns,
    note,
  }: {
    readonly csv: string
    readonly parquet: string
    readonly columns: readonly WrittenColumn[]
    readonly note: { readonly name: string; readonly text: string }
  },
  options: DatabaseOptions & { readonly rowBytesMax: number },
): Promise<void> {
  const database = await Database.open(options)
  const connection = await database.connect()
  try {
    // DuckDB takes a buffer of sixteen lines unless told otherwise.
    const lineBytes = Math.max(options.rowBytesMax + 2, lineBytesMin)
    const items = columns.map(({ name, type }, at) => `c${at}::${type} AS ${quotedName(name)}`)
    const read = columns.map((_, at) => `'c${at}': 'VARCHAR'`)
    await connection.run(
      `COPY (SELECT ${items.join(', ')} FROM read_csv(${textLiteral(csv)}, header = false, auto_detect = false,
        delim = ',', quote = '"', escape = '"', new_line = '\\r\\n', nullstr = '', allow_quoted_nulls = false,
        max_line_size = ${lineBytes}, buffer_size = ${lineBytes * 2}, parallel = false, columns = {${read.join(', ')}}))
      TO ${textLiteral(parquet)} (FORMAT parquet, COMPRESSION zstd,
        KV_METADATA {${note.name}: ${textLiteral(note.text)}})`,
    )
  } finally {
    connection.closeSync()
    database.close()
  }
}
