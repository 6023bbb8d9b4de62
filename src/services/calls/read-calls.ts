import type { ReadLimits } from '../../duck/reader.ts'
import type { TextRows } from '../../duck/text-rows.ts'
import { DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { ProjectReader } from '../../model/caller.ts'
import type { Sql } from '../../model/sql.ts'
import type { Cell } from '../../model/table.ts'
import { readThenRemove } from '../../platform/files.ts'
import type { CallsPlan, Relations, TimeWindow } from '../../query/calls-plan.ts'
import {
  columnsOfTable,
  compileEndedJsonLines,
  compileJsonLines,
  compileSplitJsonLines,
  compileStats,
  compileTable,
  compileWindows,
} from '../../query/compile.ts'
import { isColumn } from '../../query/sort.ts'
import type { OutputColumn } from '../../query/sql/call-columns.ts'
import type { Snapshot, StreamSnapshot } from '../../store/snapshot.ts'
import type { Store } from '../../store/store.ts'
import { encodeTexts, jsonLines } from '../../wire/text-stream.ts'
import type { Costs } from '../costs/costs.ts'
import type { PriceBook } from '../costs/price-book.ts'
import { costlyColumns, linesWithCosts, lineWithCosts, tableWithCosts } from './add-costs.ts'
import { callsTable } from './calls-table.ts'
import { copyChunksToParquet } from './copy-chunks.ts'
import { expandRefs, noRefs, type RefResolver } from './expand-refs.ts'
import { lookThroughRefs } from './look-through-refs.ts'
import { type CallsQuestion, expandedPaths, planCalls, relationsOf, tablesOf, type Wire } from './plan.ts'
import { tableOfLines } from './table-of-lines.ts'

export interface ReadDependencies {
  readonly store: Store
  readonly wire: Wire
  readonly costs: Costs
  readonly usernames: () => ReadonlyMap<string, string>
  readonly queryTimeoutMs: number
  readonly refs?: RefResolver
}

export interface CallTable {
  readonly columns: readonly OutputColumn[]
  /** Cells by column, some two thousand rows at a time. */
  readonly chunks: AsyncGenerator<Cell[][]>
}

/** A question under way: what is read, and from where. */
interface CallsRead {
  readonly snapshot: StreamSnapshot
  readonly plan: CallsPlan
  readonly relations: Relations
}

interface LimitedRead extends CallsRead {
  readonly limits: ReadLimits
}

interface PricedRead extends LimitedRead {
  /** Undefined where costs are not asked for. */
  readonly prices: PriceBook | undefined
}

/** Some lines in one hand: an array of texts, or bytes of several. */
interface Sliceable<Self> {
  readonly length: number
  slice(from: number, to: number): Self
}

/** The lines of a plan, those of one time window where one is given. */
type LinesOf<Read, Some> = (read: Read, window?: TimeWindow) => AsyncGenerator<Some>

/** Answers questions about calls. */
export class CallReader {
  private readonly store: Store
  private readonly wire: Wire
  private readonly costs: Costs
  private readonly usernames: () => ReadonlyMap<string, string>
  private readonly queryTimeoutMs: number
  private readonly refs: RefResolver

  constructor({ store, wire, costs, usernames, queryTimeoutMs, refs = noRefs }: ReadDependencies) {
    this.store = store
    this.wire = wire
    this.costs = costs
    this.usernames = usernames
    this.queryTimeoutMs = queryTimeoutMs
    this.refs = refs
  }

  /** The call as JSON text, or null where there is none (any more, or not yet started). */
  async read(reader: ProjectReader, id: string, question: CallsQuestion): Promise<string | null> {
    const filter = { call_ids: [id] }
    // At most one row can match, so there is nothing to sort.
    const plan = { ...planCalls(reader, { ...question, filter }, this.wire, this.usernames()), sort: [] }
    const tables = tablesOf(plan)
    const isRowAlone = tables.length === 1 && !plan.output.totalStorageSize
    await using snapshot = isRowAlone
      ? await this.store.snapshotOfRow(callsTable.name, reader.projectId, id)
      : await this.store.snapshot(tables)
    if (snapshot === null) return null
    const relations = relationsOf(snapshot, plan, filter)
    const prices = await this.pricesFor(snapshot, plan, reader)
    const sql = prices ? compileSplitJsonLines(plan, relations) : compileJsonLines(plan, relations)
    const [row] = await snapshot.reader.rows(sql, this.readLimits())
    if (row === undefined) return null
    return prices ? lineWithCosts(row, prices) : (row[0] as string)
  }

  /** Each call as one JSON text, in order; flat in memory however many there are. */
  async *jsonLines(reader: ProjectReader, question: CallsQuestion, signal: AbortSignal): AsyncGenerator<string[]> {
    yield* this.expandedLines(reader, await this.plan(reader, question), question, signal)
  }

  /** The lines as bytes, each with a line feed behind it, in pieces of about half a megabyte. */
  async *jsonLinesBytes(
    reader: ProjectReader,
    question: CallsQuestion,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    const plan = await this.plan(reader, question)
    if (expandedPaths(question).length > 0 || plan.output.costs) {
      yield* encodeTexts(this.expandedLines(reader, plan, question, signal), jsonLines)
      return
    }
    if (plan.limit === 0) return
    await using snapshot = await this.store.streamSnapshot(tablesOf(plan))
    const relations = relationsOf(snapshot, plan, question.filter)
    const read = { snapshot, plan, relations, limits: this.readLimits(signal) }
    const linesOf: LinesOf<LimitedRead, TextRows> = ({ plan, relations, limits }, window) =>
      snapshot.reader.textRows(compileEndedJsonLines(plan, relations, window), limits)
    const rows = isLongStreamInTimeOrder(plan) ? this.byWindows(read, linesOf) : linesOf(read)
    for await (const some of rows) yield* some.pieces(limits.streamChunkBytes)
  }

  /** Lines of a plan, with refs replaced where the question asks for that. */
  private async *expandedLines(
    reader: ProjectReader,
    plan: CallsPlan,
    question: CallsQuestion,
    signal: AbortSignal,
  ): AsyncGenerator<string[]> {
    const paths = expandedPaths(question)
    if (paths.length === 0) {
      yield* this.plainLines(reader, plan, question, signal)
      return
    }
    for await (const lines of this.plainLines(reader, plan, question, signal)) {
      // Each line may grow by all that its refs stand for, so only some are held at a time.
      for (let from = 0; from < lines.length; from += limits.expandedLinesMax) {
        yield await expandRefs(lines.slice(from, from + limits.expandedLinesMax), paths, reader, this.refs)
      }
    }
  }

  /** What to read. Conditions and order look through the refs at `expand_columns`. */
  private async plan(reader: ProjectReader, question: CallsQuestion): Promise<CallsPlan> {
    const plan = planCalls(reader, question, this.wire, this.usernames())
    return await lookThroughRefs(reader, plan, question, {
      store: this.store,
      refs: this.refs,
      queryTimeoutMs: this.queryTimeoutMs,
    })
  }

  private async *plainLines(
    reader: ProjectReader,
    plan: CallsPlan,
    question: CallsQuestion,
    signal: AbortSignal,
  ): AsyncGenerator<string[]> {
    if (plan.limit === 0) return
    await using snapshot = await this.store.streamSnapshot(tablesOf(plan))
    const relations = relationsOf(snapshot, plan, question.filter)
    const read = { snapshot, plan, relations, limits: this.readLimits(signal) }
    const priced = { ...read, prices: await this.pricesFor(snapshot, plan, reader) }
    const linesOf: LinesOf<PricedRead, string[]> = (read, window) => this.lines(read, window)
    yield* isLongStreamInTimeOrder(plan) ? this.byWindows(priced, linesOf) : linesOf(priced)
  }

  /** Calls as a table; for formats with columns. */
  async table(
    reader: ProjectReader,
    question: CallsQuestion,
    options: { forPeople: boolean; signal: AbortSignal },
  ): Promise<CallTable> {
    const plan = await this.plan(reader, question)
    if (expandedPaths(question).length > 0) return this.expandedTable(reader, plan, question, options)
    const snapshot = await this.store.streamSnapshot(tablesOf(plan))
    try {
      const read = { snapshot, plan, relations: relationsOf(snapshot, plan, question.filter) }
      const { columns, chunks } = await this.tableIn(reader, read, options)
      return { columns, chunks: releasing(snapshot, chunks) }
    } catch (cause) {
      await snapshot.release()
      throw cause
    }
  }

  /** The answer as the bytes of one Parquet file, which lies in the temporary folder until they are read. */
  async parquet(
    reader: ProjectReader,
    question: CallsQuestion,
    signal: AbortSignal,
  ): Promise<AsyncGenerator<Uint8Array>> {
    const path = this.store.temporaryFile('parquet')
    const rowsFile = this.store.temporaryFile('ndjson')
    const plan = await this.plan(reader, question)
    if (expandedPaths(question).length > 0) {
      const table = this.expandedTable(reader, plan, question, { forPeople: false, signal })
      const copy = (sql: Sql) => this.copyToParquet(sql, path, signal)
      await copyChunksToParquet({ ...table, copy, rowsFile })
      return readThenRemove(path)
    }
    await using snapshot = await this.store.streamSnapshot(tablesOf(plan))
    const read = { snapshot, plan, relations: relationsOf(snapshot, plan, question.filter) }
    if (plan.output.costs) {
      const { columns, chunks } = await this.tableIn(reader, read, { forPeople: false, signal })
      const copy = (sql: Sql) => snapshot.reader.copyToParquet(sql, path, this.readLimits(signal))
      await copyChunksToParquet({ columns, chunks, rowsFile, copy })
    } else {
      const { sql } = compileTable(plan, read.relations, { forPeople: false })
      await snapshot.reader.copyToParquet(sql, path, this.readLimits(signal))
    }
    return readThenRemove(path)
  }

  /** Refs are replaced in JSON texts, so the cells are made from those. */
  private expandedTable(
    reader: ProjectReader,
    plan: CallsPlan,
    question: CallsQuestion,
    { forPeople, signal }: { forPeople: boolean; signal: AbortSignal },
  ): CallTable {
    const columns = columnsOfTable(plan)
    const lines = this.expandedLines(reader, plan, question, signal)
    return { columns, chunks: tableOfLines(columns, plan, lines, { forPeople }) }
  }

  private async copyToParquet(sql: Sql, path: string, signal: AbortSignal): Promise<void> {
    await using snapshot = await this.store.snapshot([callsTable.name])
    await snapshot.reader.copyToParquet(sql, path, this.readLimits(signal))
  }

  /** How many calls match; with a limit at most that many. */
  async stats(
    reader: ProjectReader,
    question: CallsQuestion,
  ): Promise<{ count: number; has_more: boolean; total_storage_size_bytes: number | null }> {
    const { limit } = question
    if (limit !== null && limit !== undefined && limit < 1) {
      throw new DomainError('InvalidRequest', `Read limit ${limit}: it is 1 or more`)
    }
    const totalStorageSize = question.include_total_storage_size === true
    const plan = await this.plan(reader, question)
    await using snapshot = await this.store.snapshot(tablesOf(plan))
    const sql = compileStats(plan, relationsOf(snapshot, plan, question.filter), { totalStorageSize })
    const [row] = await snapshot.reader.rows(sql, { timeoutMs: this.queryTimeoutMs })
    const count = row![0] as number
    const isCut = limit !== null && limit !== undefined && count >= limit
    return { count, has_more: isCut, total_storage_size_bytes: totalStorageSize ? (row![1] as number) : null }
  }

  private async tableIn(
    reader: ProjectReader,
    read: CallsRead,
    { forPeople, signal }: { forPeople: boolean; signal: AbortSignal },
  ): Promise<CallTable> {
    const { snapshot, plan, relations } = read
    const { sql, columns } = compileTable(plan, relations, { forPeople })
    const prices = await this.pricesFor(snapshot, plan, reader)
    const chunks = snapshot.reader.columns(sql, this.readLimits(signal))
    return { columns, chunks: prices ? tableWithCosts(chunks, costlyColumns(plan, columns), prices) : chunks }
  }

  /** The lines of a plan, with costs where it asks for them. */
  private lines({ snapshot, plan, relations, limits, prices }: PricedRead, window?: TimeWindow) {
    if (prices === undefined) return snapshot.reader.texts(compileJsonLines(plan, relations, window), limits)
    return linesWithCosts(snapshot.reader.columns(compileSplitJsonLines(plan, relations, window), limits), prices)
  }

  private async pricesFor(snapshot: Snapshot, plan: CallsPlan, reader: ProjectReader): Promise<PriceBook | undefined> {
    return plan.output.costs ? await this.costs.priceBook(snapshot, reader) : undefined
  }

  private readLimits(signal?: AbortSignal): ReadLimits {
    return { timeoutMs: this.queryTimeoutMs, signal }
  }

  /** A long stream in time order, window by window, so that DuckDB never sorts more than one window of payload. */
  private async *byWindows<Read extends LimitedRead, Some extends Sliceable<Some>>(
    read: Read,
    linesOf: LinesOf<Read, Some>,
  ): AsyncGenerator<Some> {
    const { snapshot, plan, relations } = read
    const ends = await snapshot.reader.rows(compileWindows(plan, relations, limits.streamWindowBytes), read.limits)
    const bounds = ends.map(([end]) => end as number)
    const windows = bounds.map((through, index) => ({ after: index === 0 ? undefined : bounds[index - 1], through }))
    if (plan.sort[0]!.direction === 'desc') windows.reverse()
    let skip = plan.offset
    let left = plan.limit ?? Number.POSITIVE_INFINITY
    const unlimited = { ...plan, limit: undefined, offset: 0 }
    for (const window of windows) {
      for await (const lines of linesOf({ ...read, plan: unlimited }, window)) {
        const wanted = lines.slice(skip, skip + left)
        skip = Math.max(0, skip - lines.length)
        left -= wanted.length
        if (wanted.length > 0) yield wanted
        if (left === 0) return
      }
    }
  }
}

/** Whether the answer may be long and its order follows `started_at`, by which files are sorted. */
function isLongStreamInTimeOrder({ sort, limit, offset }: CallsPlan): boolean {
  const isLong = limit === undefined || limit + offset > limits.pageRowsMax
  const [first, second] = sort
  return isLong && sort.length === 2 && isColumn(first!.field, 'started_at') && isColumn(second!.field, 'id')
}

async function* releasing<T>(snapshot: StreamSnapshot, chunks: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    yield* chunks
  } finally {
    await snapshot.release()
  }
}
