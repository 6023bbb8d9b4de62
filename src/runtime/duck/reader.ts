import type { DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api'
import { DomainError } from '../../lib/errors.ts'
import { itemAt } from '../../lib/present.ts'
import { Semaphore } from '../../lib/semaphore.ts'
import { filesOf, type Sql } from '../../lib/sql.ts'
import type { Cell } from '../../lib/table.ts'
import { type ColumnsOf, shapedColumns, shapedRows } from '../../lib/typed-rows.ts'
import { readCost } from '../platform/read-cost.ts'
import { textLiteral } from './column-types.ts'
import { HoldingConnection } from './holding-connection.ts'
import type { KeptFooters } from './kept-footers.ts'
import { isOutOfMemory } from './out-of-memory.ts'
import type { Bindings } from './parameters.ts'
import { PreparedStatements } from './prepared-statements.ts'
import { StatementFiles } from './statement-files.ts'
import { columnsOf, rowsOf } from './text-cells.ts'
import { TextRows } from './text-rows.ts'
import { isUnreadable } from './unreadable.ts'

export interface ReadLimits {
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
  /** Whose turn a statement takes: owners take turns, however many statements each of them has. */
  readonly owner?: string | undefined
}

const interruptEveryMs = 20

/** One DuckDB connection lent to one read at a time. */
export class Reader {
  private readonly connection: DuckDBConnection
  private readonly onUnreadable: (() => void) | undefined
  private readonly turns: Semaphore
  private readonly footers: KeptFooters | undefined
  private readonly prepared: PreparedStatements
  /** Whether DuckDB keeps the footers that the connection reads. */
  private keepsFooters = false

  /**
   * @param onUnreadable called when a read may have hit a damaged file
   * @param turns of the statements of all readers, and of their steps
   * @param footers those that may be kept; none by default
   */
  constructor(
    connection: DuckDBConnection,
    onUnreadable?: () => void,
    turns = new Semaphore(1),
    footers?: KeptFooters,
  ) {
    this.connection = connection
    this.onUnreadable = onUnreadable
    this.turns = turns
    this.footers = footers
    this.prepared = new PreparedStatements(connection)
  }

  /**
   * Begins a transaction and fixes its snapshot. DuckDB takes it at the first statement that
   * touches a table, so `anyTable` is touched here.
   */
  async begin(anyTable: string): Promise<void> {
    await this.connection.run(`BEGIN; SELECT 1 FROM "${anyTable}" LIMIT 0`)
  }

  /** Ends the transaction, whatever its state. */
  async end(): Promise<void> {
    await this.connection.run('ROLLBACK')
  }

  /** All rows of a statement, as its shape says; as cells without one. */
  async rows<R = Cell[]>(sql: Sql<R>, limits: ReadLimits): Promise<R[]> {
    noteStatement(sql)
    const run = async (bindings: Bindings) => shapedRows(sql, await rowsOf(await this.prepared.run(sql, bindings)))
    return await this.runWithin(limits, sql.text, sql, run)
  }

  /**
   * Passes cells by column to `take`, one DuckDB vector at a time; for results that are aggregated
   * rather than kept.
   */
  async forEachChunk<R = Cell[]>(
    sql: Sql<R>,
    limits: ReadLimits,
    take: (columns: ColumnsOf<R>) => void,
  ): Promise<void> {
    for await (const columns of this.columns(sql, limits)) take(columns)
  }

  /** Stores the rows of a SELECT in a temporary table until the transaction ends. */
  async createTempTable(name: string, sql: Sql<unknown>, limits: ReadLimits): Promise<void> {
    noteStatement(sql)
    await this.execute(`CREATE TEMPORARY TABLE "${name}" AS ${sql.text}`, sql, limits)
  }

  /** Writes the rows of a SELECT to a Parquet file. */
  async copyToParquet(sql: Sql<unknown>, path: string, limits: ReadLimits): Promise<void> {
    const copy = `COPY (${sql.text}) TO ${textLiteral(path)} (FORMAT parquet, COMPRESSION zstd)`
    await this.execute(copy, sql, limits)
  }

  /**
   * Yields the texts of the first column, one DuckDB vector (up to 2,048) at a time. The time limit
   * counts time spent in DuckDB, not in a slow consumer.
   */
  async *texts(sql: Sql<unknown>, limits: ReadLimits): AsyncGenerator<string[]> {
    for await (const columns of this.cellColumns(sql, limits)) yield columns[0] as string[]
  }

  /**
   * The same texts as UTF-8 bytes, for a column without nulls. Each chunk is valid until the next
   * one is requested.
   */
  async *textRows(sql: Sql<unknown>, limits: ReadLimits): AsyncGenerator<TextRows> {
    for await (const chunk of this.chunks(sql, limits)) yield TextRows.of(chunk)
  }

  /** Yields the answer by column, one DuckDB vector at a time. */
  async *columns<R = Cell[]>(sql: Sql<R>, limits: ReadLimits): AsyncGenerator<ColumnsOf<R>> {
    for await (const columns of this.cellColumns(sql, limits)) yield shapedColumns(sql, columns)
  }

  private async *cellColumns(sql: Sql<unknown>, limits: ReadLimits): AsyncGenerator<Cell[][]> {
    for await (const chunk of this.chunks(sql, limits)) {
      const columns = columnsOf(chunk)
      chunk.reset()
      yield columns
    }
  }

  /** The same by row. */
  async *rowsInTurn<R = Cell[]>(sql: Sql<R>, limits: ReadLimits): AsyncGenerator<R[]> {
    for await (const columns of this.cellColumns(sql, limits)) {
      const rows = columns[0]?.map((_, row) => columns.map((cells) => itemAt(cells, row)))
      yield shapedRows(sql, rows ?? [])
    }
  }

  /**
   * Yields vectors of all columns. A chunk's memory is released when the next one is requested,
   * rather than by garbage collection.
   */
  private async *chunks(sql: Sql<unknown>, limits: ReadLimits): AsyncGenerator<DuckDBDataChunk> {
    noteStatement(sql)
    using files = new StatementFiles(sql.values)
    let leftMs = limits.timeoutMs
    const step = async <T>(work: (bindings: Bindings) => Promise<T>, before?: () => Promise<void>): Promise<T> => {
      const startMs = performance.now()
      const stepLimits = { ...limits, timeoutMs: Math.max(1, leftMs) }
      const value = await this.withLimits(stepLimits, () => files.run(work), before)
      leftMs -= performance.now() - startMs
      return value
    }
    const result = await step(
      ({ values, types }) => this.connection.stream(sql.text, values, types),
      () => this.bringFiles(sql.text, files),
    )
    const fetchNext = () => step(() => result.fetchChunk())
    // Prefetch one vector: DuckDB produces it while the consumer works on the current one.
    let next = fetchNext()
    try {
      for (;;) {
        const chunk = await next
        if (chunk === null || chunk.rowCount === 0) return
        next = fetchNext()
        // It is awaited in the next iteration; until then a failure must not be reported as
        // unhandled.
        next.catch(() => {})
        try {
          yield chunk
        } finally {
          chunk.reset()
        }
      }
    } finally {
      // The connection is free only when nothing runs on it. The result of the prefetch no longer
      // matters.
      const last = await next.catch(() => null)
      last?.reset()
    }
  }

  close(): void {
    this.connection.closeSync()
  }

  private async execute(text: string, sql: Sql<unknown>, limits: ReadLimits): Promise<void> {
    await this.runWithin(limits, text, sql, ({ values, types }) => this.connection.run(text, values, types))
  }

  private async runWithin<T>(
    limits: ReadLimits,
    text: string,
    sql: Sql<unknown>,
    run: (bindings: Bindings) => Promise<T>,
  ): Promise<T> {
    using files = new StatementFiles(sql.values)
    return await this.withLimits(
      limits,
      () => files.run(run),
      () => this.bringFiles(text, files),
    )
  }

  /**
   * Files of a lake may take long to arrive; what waits for them leaves its turn to others. DuckDB
   * keeps the footers of files that it reads by links, and of no others.
   */
  private async bringFiles(text: string, files: StatementFiles): Promise<void> {
    if (files.paths.length === 0) return
    if (this.footers !== undefined) {
      const areKept = await files.link(this.footers)
      if (areKept !== this.keepsFooters) await this.connection.run(`SET SESSION parquet_metadata_cache = ${areKept}`)
      this.keepsFooters = areKept
    }
    if (this.connection instanceof HoldingConnection)
      await this.connection.bring(files.paths, text, files.bindings.values)
  }

  /** @param before what needs no turn */
  private async withLimits<T>(
    limits: ReadLimits,
    work: () => Promise<T>,
    before: () => Promise<void> = async () => {},
  ): Promise<T> {
    let stopped: 'timeout' | 'cancelled' | undefined
    let retryTimer: ReturnType<typeof setInterval> | undefined
    const waiting = new AbortController()
    const stop = (why: 'timeout' | 'cancelled') => {
      stopped ??= why
      waiting.abort()
      this.connection.interrupt()
      // DuckDB loses an interrupt that arrives during planning, so repeat it until the statement
      // ends.
      retryTimer ??= setInterval(() => this.connection.interrupt(), interruptEveryMs)
    }
    if (limits.signal?.aborted) throw cancelled()
    const timer = setTimeout(stop, limits.timeoutMs, 'timeout')
    const onAbort = () => stop('cancelled')
    limits.signal?.addEventListener('abort', onAbort, { once: true })
    const startMs = performance.now()
    try {
      await before()
      return await this.turns.run(
        async () => {
          // It may have been stopped just as its turn came.
          if (stopped !== undefined) throw cancelled()
          return await work()
        },
        waiting.signal,
        limits.owner,
      )
    } catch (cause) {
      // It was waiting for files.
      if (stopped === 'timeout' && isUnavailable(cause)) throw cause
      if (stopped === 'timeout') throw new DomainError('QueryTimeout', 'Query timed out', { cause })
      if (stopped === 'cancelled') throw cancelled(cause)
      if (isOutOfMemory(cause)) throw new DomainError('QueryTooLarge', tooLarge, { cause })
      if (isUnreadable(cause)) {
        this.onUnreadable?.()
        throw new DomainError('DataDamaged', unreadable, { cause })
      }
      throw cause
    } finally {
      const cost = readCost()
      if (cost !== undefined) cost.readMs += performance.now() - startMs
      clearTimeout(timer)
      clearInterval(retryTimer)
      limits.signal?.removeEventListener('abort', onAbort)
    }
  }
}

/** For a request that asks what it costs. */
function noteStatement({ values }: Sql<unknown>): void {
  const cost = readCost()
  if (cost === undefined) return
  cost.statements++
  for (const path of filesOf(values)) {
    // Sums by hour are in other files.
    if (!cost.filesOfProjects.has(path)) continue
    cost.filesRead.add(path)
    cost.filesScanned.add(path)
  }
}

const tooLarge = 'Query exceeds the memory limit of the server; request less data at a time'

const unreadable =
  'Cannot run the query: stored data is unreadable; the operator can find out more with "tracelake verify"'

const isUnavailable = (cause: unknown): boolean => cause instanceof DomainError && cause.type === 'StoreUnavailable'

const cancelled = (cause?: unknown) => new DomainError('RequestCancelled', 'Client disconnected', { cause })
