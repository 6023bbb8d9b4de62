import {
  type DuckDBConnection,
  DuckDBInstance,
  DuckDBTypeId,
  type DuckDBValueConverter,
  type Json,
  JsonDuckDBValueConverter,
} from '@duckdb/node-api'
import { rawNumber } from '../kernel/json-value.ts'

export interface DatabaseOptions {
  readonly memoryBytesMax: number
  /** Where DuckDB may spill. */
  readonly temporaryFolder: string
  /**
   * For single rows out of files: one thread, because a second one only waits and burns, and no statistics of columns while planning,
   * which DuckDB puts together from those of all row groups. Together they take half of the time.
   */
  readonly forSingleRows?: true
}

/** The embedded DuckDB: in memory, no network, no extension loading at run time. */
export class Database {
  private readonly instance: DuckDBInstance

  private constructor(instance: DuckDBInstance) {
    this.instance = instance
  }

  static async open(options: DatabaseOptions): Promise<Database> {
    const instance = await DuckDBInstance.create(':memory:', {
      memory_limit: `${Math.floor(options.memoryBytesMax / 1e6)}MB`,
      temp_directory: options.temporaryFolder,
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      ...(options.forSingleRows && { threads: '1', disabled_optimizers: 'statistics_propagation' }),
    })
    const database = new Database(instance)
    const connection = await database.connect()
    try {
      // Without the threshold DuckDB rewrites tables in memory now and then to compress them, which costs more than it saves: they
      // are on their way to Parquet.
      await connection.run(
        "SET GLOBAL TimeZone = 'UTC'; SET GLOBAL parquet_metadata_cache = true; SET GLOBAL checkpoint_threshold = '1TB'",
      )
    } finally {
      connection.closeSync()
    }
    return database
  }

  /** Memory in use, and what has been put on the disk for want of it. */
  async memory(): Promise<{ memoryBytes: number; spilledBytes: number }> {
    const connection = await this.connect()
    try {
      const result = await connection.runAndReadAll(
        'SELECT sum(memory_usage_bytes)::DOUBLE, sum(temporary_storage_bytes)::DOUBLE FROM duckdb_memory()',
      )
      const [memoryBytes, spilledBytes] = result.getRows()[0] as [number, number]
      return { memoryBytes, spilledBytes }
    } finally {
      connection.closeSync()
    }
  }

  connect(): Promise<DuckDBConnection> {
    return this.instance.connect()
  }

  /** Runs a person's own statement; values come as JSON has them. */
  async *query(statement: string): AsyncGenerator<ResultChunk> {
    const connection = await this.instance.connect()
    try {
      const result = await connection.stream(statement)
      const names = result.columnNames()
      for (let count = 0; ; count++) {
        const chunk = await result.fetchChunk()
        const isEnd = chunk === null || chunk.rowCount === 0
        if (isEnd && count > 0) return
        yield { names, rows: isEnd ? [] : chunk.convertRows(jsonValue) }
        if (isEnd) return
      }
    } finally {
      connection.closeSync()
    }
  }

  close(): void {
    this.instance.closeSync()
  }
}

/** Types whose numbers may have more digits than JavaScript's. */
const exactTypes: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.UBIGINT,
  DuckDBTypeId.HUGEINT,
  DuckDBTypeId.UHUGEINT,
  DuckDBTypeId.DECIMAL,
])

/** As DuckDB's own converter, which makes texts of such numbers; here they print as numbers, to the last digit. */
const jsonValue: DuckDBValueConverter<Json> = (value, type, converter) =>
  value !== null && exactTypes.has(type.typeId)
    ? (rawNumber(String(value)) as Json)
    : JsonDuckDBValueConverter(value, type, converter)

/** Some rows of an answer to a person's statement. The first chunk comes even if there are no rows. */
export interface ResultChunk {
  readonly names: readonly string[]
  readonly rows: readonly unknown[][]
}
