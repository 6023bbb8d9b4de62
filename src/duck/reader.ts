import type { DuckDBConnection, DuckDBDataChunk, DuckDBResultReader } from '@duckdb/node-api'
import { DomainError } from '../errors.ts'
import type { Sql } from '../kernel/sql.ts'
import type { Cell } from '../kernel/table.ts'
import { findDiskFault } from '../platform/disk-fault.ts'
import { textLiteral } from './column-types.ts'
import { bindable } from './parameters.ts'
import { PreparedStatements } from './prepared-statements.ts'
import { toCell } from './rows.ts'
import { TextRows } from './text-rows.ts'

export interface ReadLimits {
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/** What a read can do that waits for nothing but DuckDB: no row leaves it before the statement that reads it is done or it is handed over. */
export type LookupReader = Pick<Reader, 'rows' | 'forEachChunk' | 'createTempTable' | 'copyToParquet'>

const interruptEveryMs = 20

/** One DuckDB connection lent to one read at a time. */
export class Reader {
  private readonly connection: DuckDBConnection
  private readonly prepared: PreparedStatements
  /** What whoever has it waited before, which counts against the time limit of each of its statements. Until `end`. */
  waitedMs = 0
  private readonly onUnreadable: (() => void) | undefined

  /** @param onUnreadable called when a read has met what may be a damaged file */
  constructor(connection: DuckDBConnection, onUnreadable?: () => void) {
    this.connection = connection
    this.onUnreadable = onUnreadable
    this.prepared = new PreparedStatements(connection)
  }

  /**
   * Opens a transaction and fixes what it sees: DuckDB takes its snapshot at the first statement that touches a table, so
   * `anyTable` is touched at once.
   */
  async begin(anyTable: string): Promise<void> {
    await this.connection.run(`BEGIN; FROM "${anyTable}" LIMIT 0`)
  }

  /** Ends the transaction, whatever state it is in. */
  async end(): Promise<void> {
    this.waitedMs = 0
    await this.connection.run('ROLLBACK')
  }

  /** All rows of a statement, as cells. */
  async rows(sql: Sql, limits: ReadLimits): Promise<Cell[][]> {
    return await this.guarded(limits, async () => {
      const { values, types } = bindable(sql.values)
      return cellsOf(await this.connection.runAndReadAll(sql.text, values, types))
    })
  }

  /** The same for a statement that will come again with other values; it stays prepared. */
  async preparedRows(sql: Sql, limits: ReadLimits): Promise<Cell[][]> {
    return await this.guarded(limits, async () => {
      const { values, types } = bindable(sql.values)
      const statement = await this.prepared.get(sql.text)
      statement.bind(values, types)
      return cellsOf(await statement.runAndReadAll())
    })
  }

  /** Hands cells by column to `take`, a DuckDB vector at a time; for answers that are summed up rather than kept. */
  async forEachChunk(sql: Sql, limits: ReadLimits, take: (columns: Cell[][]) => void): Promise<void> {
    for await (const columns of this.columns(sql, limits)) take(columns)
  }

  /** Keeps the rows of a SELECT under a name, for further statements of the same transaction; they go when it ends. */
  async createTempTable(name: string, sql: Sql, limits: ReadLimits): Promise<void> {
    const { values, types } = bindable(sql.values)
    await this.guarded(limits, () =>
      this.connection.run(`CREATE TEMPORARY TABLE "${name}" AS ${sql.text}`, values, types),
    )
  }

  /** Writes the rows of a SELECT to a Parquet file. */
  async copyToParquet(sql: Sql, path: string, limits: ReadLimits): Promise<void> {
    const { values, types } = bindable(sql.values)
    const copy = `COPY (${sql.text}) TO ${textLiteral(path)} (FORMAT parquet, COMPRESSION zstd)`
    await this.guarded(limits, () => this.connection.run(copy, values, types))
  }

  /**
   * Texts of the first column, a DuckDB vector (up to 2,048) at a time. The time limit holds for the time spent inside DuckDB, not
   * for a slow consumer.
   */
  async *texts(sql: Sql, limits: ReadLimits): AsyncGenerator<string[]> {
    for await (const columns of this.columns(sql, limits)) yield columns[0] as string[]
  }

  /** The same texts as bytes, for a column without nulls. What is yielded is valid until the next is asked for. */
  async *textRows(sql: Sql, limits: ReadLimits): AsyncGenerator<TextRows> {
    for await (const chunk of this.chunks(sql, limits)) yield TextRows.of(chunk)
  }

  /** Cells by column, a DuckDB vector at a time. */
  async *columns(sql: Sql, limits: ReadLimits): AsyncGenerator<Cell[][]> {
    for await (const chunk of this.chunks(sql, limits)) {
      const columns = Array.from({ length: chunk.columnCount }, (_, i) =>
        chunk.convertColumnValues(i, (value) => toCell(value)),
      )
      chunk.reset()
      yield columns
    }
  }

  /** The same cells by row. */
  async *rowsInTurn(sql: Sql, limits: ReadLimits): AsyncGenerator<Cell[][]> {
    for await (const columns of this.columns(sql, limits)) {
      yield columns[0]!.map((_, row) => columns.map((cells) => cells[row]!))
    }
  }

  /** Vectors of all columns. What a chunk holds is given back when the next is asked for, not some time later by garbage collection. */
  private async *chunks(sql: Sql, limits: ReadLimits): AsyncGenerator<DuckDBDataChunk> {
    const { values, types } = bindable(sql.values)
    let leftMs = limits.timeoutMs
    const step = async <T>(work: () => Promise<T>): Promise<T> => {
      const startMs = performance.now()
      const value = await this.guarded({ ...limits, timeoutMs: Math.max(1, leftMs) }, work)
      leftMs -= performance.now() - startMs
      return value
    }
    const result = await step(() => this.connection.stream(sql.text, values, types))
    const fetchNext = () => step(() => result.fetchChunk())
    // One vector ahead: DuckDB makes the next while the consumer works on this one.
    let next = fetchNext()
    try {
      for (;;) {
        const chunk = await next
        if (chunk === null || chunk.rowCount === 0) return
        next = fetchNext()
        // It is awaited in the next turn; until then a failure must not count as unhandled.
        next.catch(() => {})
        try {
          yield chunk
        } finally {
          chunk.reset()
        }
      }
    } finally {
      // The connection is free again only when nothing runs on it; what the last fetch says no longer matters to anybody.
      const last = await next.catch(() => null)
      last?.reset()
    }
  }

  close(): void {
    this.prepared.clear()
    this.connection.closeSync()
  }

  private async guarded<T>(limits: ReadLimits, work: () => Promise<T>): Promise<T> {
    let stopped: 'timeout' | 'cancelled' | undefined
    let again: ReturnType<typeof setInterval> | undefined
    const stop = (why: 'timeout' | 'cancelled') => {
      stopped ??= why
      this.connection.interrupt()
      // DuckDB forgets an interruption that comes while it still plans, so it hears of it until it ends.
      again ??= setInterval(() => this.connection.interrupt(), interruptEveryMs)
    }
    if (limits.signal?.aborted) throw cancelled()
    const timer = setTimeout(stop, Math.max(1, limits.timeoutMs - this.waitedMs), 'timeout')
    const onAbort = () => stop('cancelled')
    limits.signal?.addEventListener('abort', onAbort, { once: true })
    try {
      return await work()
    } catch (cause) {
      if (stopped === 'timeout') throw new DomainError('QueryTimeout', 'Run the query: it took too long', { cause })
      if (stopped === 'cancelled') throw cancelled(cause)
      if (isOutOfMemory(cause)) throw new DomainError('QueryTooLarge', tooLarge, { cause })
      if (isUnreadable(cause)) {
        this.onUnreadable?.()
        throw new DomainError('DataDamaged', unreadable, { cause })
      }
      throw cause
    } finally {
      clearTimeout(timer)
      clearInterval(again)
      limits.signal?.removeEventListener('abort', onAbort)
    }
  }
}

const tooLarge = 'Run the query: it needs more memory than the server gives to queries; ask for less at a time'

/** DuckDB's package tells kinds of errors by their text alone. */
const isOutOfMemory = (cause: unknown): boolean =>
  cause instanceof Error && cause.message.startsWith('Out of Memory Error')

const unreadable =
  'Run the query: stored data that it needs cannot be read; whoever runs the server can find out more ("tracelake verify")'

/** As DuckDB 1.5 complains of a Parquet file that is cut, gone or spoiled. A disk that is at fault now is another matter. */
const isUnreadable = (cause: unknown): boolean =>
  cause instanceof Error &&
  findDiskFault(cause) === undefined &&
  /Failed to read file|Decompression failure|magic bytes|TProtocol|Parquet file|IO Error|No files found|Out of buffer/i.test(
    cause.message,
  )

const cancelled = (cause?: unknown) => new DomainError('RequestCancelled', 'The client left', { cause })

const cellsOf = (result: DuckDBResultReader): Cell[][] => result.getRows().map((row) => row.map(toCell))
