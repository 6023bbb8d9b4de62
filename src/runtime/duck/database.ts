import {
  DOUBLE,
  type DuckDBConnection,
  DuckDBInstance,
  DuckDBScalarFunction,
  type DuckDBType,
  DuckDBTypeId,
  type DuckDBValue,
  type DuckDBValueConverter,
  type Json,
  JsonDuckDBValueConverter,
  VARCHAR,
} from '@duckdb/node-api'
import { rawNumber } from '../../lib/json-value.ts'
import { itemAt, ownValue } from '../../lib/present.ts'
import type { SqlValue } from '../../lib/sql.ts'
import { randomHex } from '../platform/crypto.ts'
import { joinPath } from '../platform/files/paths.ts'
import { type FilesToHold, HoldingConnection } from './holding-connection.ts'
import { KeptFooters } from './kept-footers.ts'
import { toBindings } from './parameters.ts'
import { loggedReads, logReads, type StatementCost } from './statement-cost.ts'

export interface DatabaseOptions {
  readonly memoryBytesMax: number
  /** Where DuckDB may spill. */
  readonly temporaryFolder: string
  /** Files that have to be fetched before a statement reads them; undefined if there are none. */
  readonly files?: FilesToHold | undefined
  /** Of how many Parquet files readers may let DuckDB keep the footers; 0 by default. */
  readonly footersMax?: number
}

/** How much freed memory DuckDB's allocator may keep at once before it returns it. */
const allocatorBytesKept = '8MiB'

/**
 * The embedded DuckDB: in memory, no network, no extension loading at run time. See
 * docs/decisions/001-duckdb-package.md.
 */
export class Database {
  /** For readers; undefined if they may keep none. */
  readonly footers: KeptFooters | undefined
  private readonly instance: DuckDBInstance
  private readonly files: FilesToHold | undefined

  private constructor(
    instance: DuckDBInstance,
    { files, footers }: { files: FilesToHold | undefined; footers: KeptFooters | undefined },
  ) {
    this.instance = instance
    this.files = files
    this.footers = footers
  }

  static async open(options: DatabaseOptions): Promise<Database> {
    const instance = await DuckDBInstance.create(':memory:', {
      memory_limit: `${Math.floor(options.memoryBytesMax / 1e6)}MB`,
      temp_directory: options.temporaryFolder,
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      // By default DuckDB keeps hundreds of MB that it has freed. See
      // docs/decisions/269-memory-of-ingest.md.
      allocator_background_threads: 'true',
      allocator_flush_threshold: allocatorBytesKept,
      allocator_bulk_deallocation_flush_threshold: allocatorBytesKept,
    })
    const connection = await instance.connect()
    try {
      // Without this threshold DuckDB occasionally rewrites in-memory tables to compress them,
      // which costs more than it saves: they are about to be flushed to Parquet.
      // It would also keep parts of data files, up to its memory limit, which the operating system
      // does anyway; and by path, also those of a damaged copy that has since been fetched again.
      await connection.run(
        "SET GLOBAL TimeZone = 'UTC'; SET GLOBAL checkpoint_threshold = '1TB'; " +
          'SET GLOBAL enable_external_file_cache = false',
      )
    } finally {
      connection.closeSync()
    }
    const { files, temporaryFolder, footersMax = 0 } = options
    const links = joinPath(temporaryFolder, `footers-${randomHex(8)}`)
    const footers = footersMax > 0 ? new KeptFooters(links, footersMax) : undefined
    return new Database(instance, { files, footers })
  }

  /** Memory in use, and bytes spilled to disk. */
  async memory(): Promise<{ memoryBytes: number; spilledBytes: number }> {
    const connection = await this.connect()
    try {
      const result = await connection.runAndReadAll(
        'SELECT sum(memory_usage_bytes)::DOUBLE, sum(temporary_storage_bytes)::DOUBLE FROM duckdb_memory()',
      )
      const [memoryBytes, spilledBytes] = itemAt(result.getRows(), 0)
      return { memoryBytes: Number(memoryBytes), spilledBytes: Number(spilledBytes) }
    } finally {
      connection.closeSync()
    }
  }

  async connect(): Promise<DuckDBConnection> {
    const connection = await this.instance.connect()
    return this.files === undefined ? connection : new HoldingConnection(connection, this.files)
  }

  /**
   * Adds a function that statements can call by `name`. It runs only for rows whose value a
   * statement uses, on the main thread, and its errors are those of the statement.
   *
   * @param parameters the types of its arguments; each may be null
   */
  async addFunction(
    name: string,
    parameters: readonly ('text' | 'number')[],
    compute: (...values: readonly unknown[]) => number | null,
  ): Promise<void> {
    const connection = await this.instance.connect()
    try {
      connection.registerScalarFunction(
        DuckDBScalarFunction.create({
          name,
          returnType: DOUBLE,
          parameterTypes: parameters.map((type): DuckDBType => (type === 'text' ? VARCHAR : DOUBLE)),
          specialHandling: true,
          mainFunction: (_, input, output) => {
            const columns = parameters.map((_type, index) => input.getColumnVector(index))
            for (let row = 0; row < input.rowCount; row++)
              output.setItem(row, compute(...columns.map((column) => column.getItem(row))))
            output.flush()
          },
        }),
      )
    } finally {
      connection.closeSync()
    }
  }

  /** Runs a user's statement and yields its rows as JSON values. */
  async *query(statement: string): AsyncGenerator<ResultChunk> {
    const connection = await this.instance.connect()
    try {
      yield* resultOf(connection, statement)
    } finally {
      connection.closeSync()
    }
  }

  /**
   * The same, and returns what the statement cost. Nothing else may use the database meanwhile.
   *
   * @param dataFiles files whose reads count
   * @param parameters values of `$name`, of those that the statement names
   * @throws Error if the statement names another one
   */
  async *explainedQuery(
    statement: string,
    dataFiles: readonly string[],
    parameters: Readonly<Record<string, SqlValue>> = {},
  ): AsyncGenerator<ResultChunk, StatementCost> {
    const connection = await this.instance.connect()
    try {
      await logReads(connection)
      const ms = yield* resultOf(connection, statement, parameters)
      return { ms, ...(await loggedReads(connection, dataFiles)) }
    } finally {
      connection.closeSync()
    }
  }

  close(): void {
    this.instance.closeSync()
  }
}

/** Returns the milliseconds for which the statement ran. */
async function* resultOf(
  connection: DuckDBConnection,
  statement: string,
  parameters: Readonly<Record<string, SqlValue>> = {},
): AsyncGenerator<ResultChunk, number> {
  let startMs = performance.now()
  let ranMs = 0
  const bindings = await bindingsOf(connection, statement, parameters)
  const result = await connection.stream(statement, bindings?.values, bindings?.types)
  const names = result.columnNames()
  const types = result.columnTypes()
  const columns = names.map((name, index) => ({ name, type: String(itemAt(types, index)) }))
  for (let count = 0; ; count++) {
    const chunk = await result.fetchChunk()
    ranMs += performance.now() - startMs
    const isEnd = chunk === null || chunk.rowCount === 0
    if (isEnd && count > 0) return ranMs
    yield { names, columns, rows: isEnd ? [] : chunk.convertRows(jsonValue) }
    if (isEnd) return ranMs
    startMs = performance.now()
  }
}

/** The values that a statement names, which may be only some of those given. */
async function bindingsOf(
  connection: DuckDBConnection,
  statement: string,
  parameters: Readonly<Record<string, SqlValue>>,
): Promise<{ values: Record<string, DuckDBValue>; types: Record<string, DuckDBType> } | undefined> {
  if (!/[$?]/.test(statement)) return undefined
  const prepared = await connection.prepare(statement)
  try {
    const names = Array.from({ length: prepared.parameterCount }, (_, index) => prepared.parameterName(index + 1))
    if (names.length === 0) return undefined
    const named = names.map((name) => [name, ownValue(parameters, name.toLowerCase())] as const)
    const missing = named.find(([, value]) => value === undefined)
    if (missing) throw new Error(`Cannot run the statement: the parameter $${missing[0]} has no value`)
    const { values, types } = toBindings(named.map(([, value]) => value ?? null))
    const byName = <Item>(items: readonly Item[]): Record<string, Item> =>
      Object.fromEntries(names.map((name, index) => [name, itemAt(items, index)]))
    return { values: byName(values), types: byName(types) }
  } finally {
    prepared.destroySync()
  }
}

/** Types whose numbers may exceed the precision of JavaScript numbers. */
const exactTypes: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.UBIGINT,
  DuckDBTypeId.HUGEINT,
  DuckDBTypeId.UHUGEINT,
  DuckDBTypeId.DECIMAL,
])

/** Like DuckDB's own converter, but such numbers are printed exactly, rather than as strings. */
const jsonValue: DuckDBValueConverter<Json> = (value, type, converter) =>
  value !== null && exactTypes.has(type.typeId)
    ? rawNumber(String(value))
    : JsonDuckDBValueConverter(value, type, converter)

/** A column of a query result, with DuckDB's name of its type. */
export interface ResultColumn {
  readonly name: string
  readonly type: string
}

/** Some rows of a query result. The first chunk is yielded even if there are no rows. */
export interface ResultChunk {
  readonly names: readonly string[]
  readonly columns: readonly ResultColumn[]
  readonly rows: readonly unknown[][]
}

/**
 * The rows of a CSV or Parquet file as objects, read in chunks. All values of CSV are texts.
 *
 * @throws Error if the file is damaged
 */
export async function* readFileRows(
  file: string,
  format: 'csv' | 'parquet',
  options: { readonly memoryBytesMax: number; readonly temporaryFolder: string },
): AsyncGenerator<Record<string, unknown>> {
  const database = await Database.open(options)
  const quoted = `'${file.replaceAll("'", "''")}'`
  const source = format === 'csv' ? `read_csv(${quoted}, header = true, all_varchar = true)` : `read_parquet(${quoted})`
  try {
    for await (const { names, rows } of database.query(`SELECT * FROM ${source}`)) {
      for (const row of rows) yield Object.fromEntries(names.map((name, index) => [name, row[index]]))
    }
  } finally {
    database.close()
  }
}
