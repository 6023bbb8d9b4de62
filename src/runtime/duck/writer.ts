import type { DuckDBConnection, DuckDBPendingResult, DuckDBResult } from '@duckdb/node-api'
import duckdb from '@duckdb/node-bindings'
import type { BatchRow } from '../../lib/batch-row.ts'
import { concatBytes } from '../../lib/bytes.ts'
import { DomainError } from '../../lib/errors.ts'
import { itemAt } from '../../lib/present.ts'
import type { SqlValue } from '../../lib/sql.ts'
import type { Cell, Column, Row } from '../../lib/table.ts'
import { type CellKinds, type RowOfKinds, rowShape } from '../../lib/typed-rows.ts'
import { delay } from '../platform/event-loop.ts'
import { cpuSeconds } from '../platform/processes/process-stats.ts'
import { BatchAppender } from './batch-appender.ts'
import { type AppendedColumn, appendedColumns, ChunkAppender } from './chunk-appender.ts'
import { columnsSql } from './column-types.ts'
import { isOutOfMemory } from './out-of-memory.ts'
import { toBindings } from './parameters.ts'
import { columnsOf, rowsOf } from './text-cells.ts'
import { TextRows } from './text-rows.ts'

const pauseMsMax = 8
/** Reading the processor time of all threads takes longer than a pause is worth. */
const pausesPerReading = 16
/** Memory of all threads together. */
const aloneCpuSecondsMax = 5
const aloneMsMax = 10_000

/** Statements that `runInBackground` is running. */
let inBackground = 0

/**
 * Runs a statement on DuckDB's own threads, of which there must be at least one. A thread that
 * waits for a result takes part in the work, and spins while the last tasks are with others: that
 * can double the processor time of a long statement. It only joins after some seconds, because
 * statements of readers may keep the other threads busy. They are seconds of processor time: where
 * other programs use the processors, every statement takes longer. It joins at once if another
 * such statement occupies the threads: DuckDB finishes a task before it begins the next.
 *
 * @throws Error with the text of DuckDB if the statement fails
 */
export async function runInBackground(connection: DuckDBConnection, text: string): Promise<DuckDBResult> {
  const isAlone = inBackground++ === 0
  try {
    return await resultOf(await connection.start(text), isAlone)
  } finally {
    inBackground--
  }
}

async function resultOf(pending: DuckDBPendingResult, isAlone: boolean): Promise<DuckDBResult> {
  if (!isAlone) return await pending.getResult()
  const joinsAtMs = performance.now() + aloneMsMax
  const joinsAtCpuSeconds = cpuSeconds() + aloneCpuSecondsMax
  for (let pauses = 0; isRunning(pending); pauses++) {
    if (performance.now() > joinsAtMs) break
    if (pauses % pausesPerReading === pausesPerReading - 1 && cpuSeconds() > joinsAtCpuSeconds) break
    await delay(Math.min(2 ** pauses, pauseMsMax))
  }
  return await pending.getResult()
}

/** @throws Error if the statement failed */
function isRunning(pending: DuckDBPendingResult): boolean {
  const handle = pending['pending_result']
  const state = duckdb.pending_execute_check_state(handle)
  // The C interface has no other state for statements that ended, or whose tasks are blocked.
  const message = state === duckdb.PendingState.ERROR ? duckdb.pending_error(handle) : ''
  // `getResult` would put a sentence of its own before the text.
  if (message !== '') throw new Error(message)
  return state === duckdb.PendingState.RESULT_NOT_READY || state === duckdb.PendingState.NO_TASKS_AVAILABLE
}

/** Memory that one statement lacks is released when others end, so callers may try again. */
const withinMemory = <T>(work: Promise<T>): Promise<T> =>
  work.catch((cause: unknown) => {
    if (!isOutOfMemory(cause)) throw cause
    throw new DomainError('StoreUnavailable', 'Out of memory; try again later', { cause })
  })

/**
 * The connection through which the store changes DuckDB. The owner ensures that calls do not
 * overlap.
 */
export class Writer {
  private readonly connection: DuckDBConnection
  private readonly appenders = new Map<readonly Column[], ChunkAppender>()
  private readonly batchAppenders = new Map<readonly Column[], BatchAppender>()
  private threadCount: number | undefined
  /** The state of a transaction that those of `transaction` are part of. */
  private held: 'open' | 'failed' | undefined

  constructor(connection: DuckDBConnection) {
    this.connection = connection
  }

  async execute(text: string, values: readonly SqlValue[] = []): Promise<void> {
    // Without values, DuckDB parses, plans and runs the statement in a single background task.
    if (values.length === 0) {
      await withinMemory(this.connection.run(text))
      return
    }
    const bound = toBindings(values)
    await withinMemory(this.connection.run(text, bound.values, bound.types))
  }

  /** The same for a statement that takes long, with less processor time; see `runInBackground`. */
  async executeLong(text: string): Promise<void> {
    if ((await this.threads()) === 1) await this.execute(text)
    else await withinMemory(runInBackground(this.connection, text))
  }

  /** Like `read`, for a statement that takes long; the rows should be few. */
  async readLong<const K extends CellKinds>(kinds: K, text: string): Promise<RowOfKinds<K>[]> {
    return (await this.rowsLong(text)).map(rowShape(kinds).read)
  }

  /** The rows of a statement that takes long; they should be few. */
  async rowsLong(text: string): Promise<Cell[][]> {
    if ((await this.threads()) === 1) return await this.rows(text)
    return await rowsOf(await withinMemory(runInBackground(this.connection, text)))
  }

  /** How many threads DuckDB uses, including the thread that waits for a result. */
  async threads(): Promise<number> {
    if (this.threadCount === undefined) {
      const { count } = await this.readOne({ count: 'number' }, "SELECT current_setting('threads')::DOUBLE")
      this.threadCount = count
    }
    return this.threadCount
  }

  async rows(text: string, values: readonly SqlValue[] = []): Promise<Cell[][]> {
    const bound = toBindings(values)
    return await rowsOf(await withinMemory(this.connection.run(text, bound.values, bound.types)))
  }

  /**
   * Rows with named columns of these kinds: `read({ name: 'text', bytes: 'integer?' }, text)`.
   *
   * @throws TypeError if a cell is of another kind
   */
  async read<const K extends CellKinds>(
    kinds: K,
    text: string,
    values: readonly SqlValue[] = [],
  ): Promise<RowOfKinds<K>[]> {
    return (await this.rows(text, values)).map(rowShape(kinds).read)
  }

  /** The only row of a statement that always has one. */
  async readOne<const K extends CellKinds>(
    kinds: K,
    text: string,
    values: readonly SqlValue[] = [],
  ): Promise<RowOfKinds<K>> {
    return itemAt(await this.read(kinds, text, values), 0)
  }

  /** Yields cells by column, one DuckDB vector at a time. */
  async *columns(text: string, values: readonly SqlValue[] = []): AsyncGenerator<Cell[][]> {
    const bound = toBindings(values)
    const result = await this.connection.stream(text, bound.values, bound.types)
    for (;;) {
      const chunk = await result.fetchChunk()
      if (chunk === null || chunk.rowCount === 0) return
      yield columnsOf(chunk)
    }
  }

  /**
   * The texts of the first column as bytes, which must not be null, in the order of the result. A
   * yielded value is valid until the next is requested.
   */
  async *textRows(text: string): AsyncGenerator<TextRows> {
    const result = await withinMemory(this.connection.stream(text))
    for (;;) {
      const chunk = await result.fetchChunk()
      if (chunk === null || chunk.rowCount === 0) return
      yield TextRows.of(chunk)
      chunk.reset()
    }
  }

  /** The values of the only column, a UINTEGER without nulls. The statement may take long. */
  async integers(text: string): Promise<Uint32Array> {
    const isAlone = (await this.threads()) === 1
    const started = isAlone ? this.connection.run(text) : runInBackground(this.connection, text)
    const result = await withinMemory(started)
    const pieces: Uint8Array[] = []
    for (;;) {
      const chunk = await result.fetchChunk()
      if (chunk === null || chunk.rowCount === 0) break
      const vector = duckdb.data_chunk_get_vector(chunk.chunk, 0)
      pieces.push(duckdb.vector_get_data(vector, chunk.rowCount * 4).slice())
      chunk.reset()
    }
    return new Uint32Array(concatBytes(pieces).buffer)
  }

  /** Begins a transaction that lasts until `commit`; those of `transaction` are part of it. */
  async begin(): Promise<void> {
    await this.connection.run('BEGIN')
    this.held = 'open'
  }

  /** @throws Error if part of the transaction failed: then nothing is committed */
  async commit(): Promise<void> {
    this.refuseIfFailed()
    await this.connection.run('COMMIT')
    this.held = undefined
  }

  private refuseIfFailed(): void {
    if (this.held === 'failed') throw new Error('Cannot continue the transaction: part of it has failed')
  }

  /** Runs `task` in a transaction and rolls back if it fails. */
  async transaction(task: () => Promise<void>): Promise<void> {
    if (this.held !== undefined) {
      this.refuseIfFailed()
      // Unless it succeeds, what it wrote until then must not be committed.
      this.held = 'failed'
      await task()
      this.held = 'open'
      return
    }
    await this.connection.run('BEGIN')
    try {
      await task()
    } catch (cause) {
      await this.connection.run('ROLLBACK')
      throw cause
    }
    await this.connection.run('COMMIT')
  }

  /** Creates an empty table. Replaces one left behind by a failed attempt. */
  async createTable(name: string, columns: readonly Column[]): Promise<void> {
    await this.connection.run(`CREATE OR REPLACE TABLE "${name}" (${columnsSql(columns)})`)
  }

  async dropTable(name: string): Promise<void> {
    await this.connection.run(`DROP TABLE IF EXISTS "${name}"`)
  }

  /**
   * Appends rows whose cells are in the order of `columns`. Columns excluded by `kept` are not in
   * the target table.
   */
  async append(
    tableName: string,
    columns: readonly Column[],
    rows: readonly Row[],
    kept: (column: Column) => boolean = () => true,
  ): Promise<void> {
    let appender = this.appenders.get(columns)
    if (appender === undefined) {
      const appended: AppendedColumn[] = appendedColumns(columns, kept)
      appender = new ChunkAppender(appended)
      this.appenders.set(columns, appender)
    }
    await appender.append(this.connection, tableName, rows)
  }

  /** The same for rows of batches, with the derived cells of each unless the batches have them. */
  async appendBatchRows(
    tableName: string,
    columns: readonly Column[],
    { rows, derived }: { readonly rows: readonly BatchRow[]; readonly derived: readonly Row[] | undefined },
    kept: (column: Column) => boolean,
  ): Promise<void> {
    let appender = this.batchAppenders.get(columns)
    if (appender === undefined) {
      appender = new BatchAppender(appendedColumns(columns, kept))
      this.batchAppenders.set(columns, appender)
    }
    await appender.append(this.connection, tableName, rows, derived)
  }

  close(): void {
    this.connection.closeSync()
  }
}
