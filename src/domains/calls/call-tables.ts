import type { ReadScope } from '../../engine/reads/reads.ts'
import type { Snapshot, StreamSnapshot } from '../../engine/reads/snapshot.ts'
import type { Store } from '../../engine/store.ts'
import { callsTable } from '../../engine/tables/calls-table.ts'
import { parseExactly } from '../../formats/wire/exact-json.ts'
import { isJsonObject } from '../../lib/json-value.ts'
import { responseLimits } from '../../lib/limits/responses.ts'
import { itemAt } from '../../lib/present.ts'
import type { Sql } from '../../lib/sql.ts'
import type { Cell } from '../../lib/table.ts'
import { parseTime } from '../../lib/time.ts'
import type { CallsPlan } from '../../query/calls-plan.ts'
import { type OutputColumn, rowsFileSql } from '../../query/sql/call-columns.ts'
import { columnsOfTable, compileTable } from '../../query/sql/statements.ts'
import { writeChunks } from '../../runtime/platform/files/file-chunks.ts'
import { removeFile } from '../../runtime/platform/files/files.ts'
import type { Costs } from '../costs/index.ts'
import { costlyColumns, pricedRelations, pricesFor, tableWithCosts } from './add-costs.ts'
import { AnswerFiles } from './answer-files.ts'
import type { CallLines } from './call-lines.ts'
import { narrowedInParts } from './clickhouse/found-in-parts.ts'
import type { HeavyQuestions } from './clickhouse/heavy-questions.ts'
import { type PlannedRead, tablesOf } from './plan.ts'
import { isLongStreamInTimeOrder } from './time-windows.ts'

/**
 * Turns calls as JSON texts into cells by column. With `humanReadable`, times are as in the API and
 * JSON strings without quotes.
 */
async function* tableOfLines(
  columns: readonly OutputColumn[],
  { columns: requested, output }: CallsPlan,
  lines: AsyncGenerator<string[]>,
  { humanReadable }: { humanReadable: boolean },
): AsyncGenerator<Cell[][]> {
  const places = columns.map(({ name }) => {
    const column = requested?.find((candidate) => candidate.name === name)
    return column === undefined ? [name] : [output.nameOf(column.member), ...column.path]
  })
  for await (const some of lines) {
    const calls = some.map(parseExactly)
    const cells = columns.map(({ type }, index) =>
      calls.map((call) => cellOf(type, valueAt(call, itemAt(places, index)), humanReadable)),
    )
    // A table without columns has rows, too.
    yield columns.length === 0 ? [calls.map(() => null)] : cells
  }
}

function cellOf(type: OutputColumn['type'], value: unknown, humanReadable: boolean): Cell {
  if (value === null || value === undefined) return null
  if (typeof value === 'number' && type === 'integer') return value
  if (typeof value !== 'string') return JSON.stringify(value)
  if (type === 'time') return humanReadable ? value : (parseTime(value) ?? null)
  return type === 'json' && !humanReadable ? JSON.stringify(value) : value
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let found = value
  for (const key of path) {
    if (Array.isArray(found)) found = /^\d+$/.test(key) ? found[Number(key)] : undefined
    else found = isJsonObject(found) && Object.hasOwn(found, key) ? found[key] : undefined
  }
  return found
}

/** Without costs where no column has any: a Parquet file is then written by one statement. */
function withCostsOfColumns(planned: PlannedRead): PlannedRead {
  const { plan } = planned
  if (!plan.output.costs || costlyColumns(plan, columnsOfTable(plan)).length > 0) return planned
  return { ...planned, plan: { ...plan, output: { ...plan.output, costs: false } } }
}

const encoder = new TextEncoder()

/**
 * Writes rows that were produced outside DuckDB as one Parquet file. They go through a JSON Lines
 * file, because the connection that yields the rows cannot ingest them at the same time; memory
 * stays constant.
 */
async function copyChunksToParquet(options: {
  /** Writes the rows of a SELECT to the Parquet file. */
  copy: (sql: Sql) => Promise<void>
  columns: readonly OutputColumn[]
  chunks: AsyncGenerator<Cell[][]>
  /** Path of the intermediate rows file. */
  rowsFile: string
}): Promise<void> {
  const { copy, columns, chunks, rowsFile } = options
  await writeChunks(rowsFile, jsonRows(chunks))
  try {
    await copy(rowsFileSql(rowsFile, columns))
  } finally {
    await removeFile(rowsFile)
  }
}

async function* jsonRows(chunks: AsyncGenerator<Cell[][]>): AsyncGenerator<Uint8Array> {
  for await (const columns of chunks) {
    const lines = (columns[0] ?? []).map(
      (_, row) => `${JSON.stringify(Object.fromEntries(columns.map((cells, index) => [`c${index}`, cells[row]])))}\n`,
    )
    yield encoder.encode(lines.join(''))
  }
}

export interface CallTable {
  readonly columns: readonly OutputColumn[]
  /** Cells by column, in chunks of about two thousand rows. */
  readonly chunks: AsyncGenerator<Cell[][]>
}

export interface TableOptions {
  /** Human-readable: times as in the API, JSON strings without quotes. */
  readonly humanReadable: boolean
  readonly signal: AbortSignal
}

/** Calls as tables, for columnar formats. */
export class CallTables {
  private readonly store: Store
  private readonly costs: Costs
  private readonly lines: CallLines
  private readonly heavy: HeavyQuestions
  /** Parquet downloads in progress. */
  readonly answerFiles = new AnswerFiles({
    filesMax: responseLimits.answerFilesMax,
    filesPerKeyMax: responseLimits.answerFilesPerKeyMax,
    bytesMax: responseLimits.answerFilesBytesMax,
    lookMs: responseLimits.answerFilesLookMs,
  })

  constructor(options: { store: Store; costs: Costs; lines: CallLines; heavy: HeavyQuestions }) {
    this.store = options.store
    this.costs = options.costs
    this.lines = options.lines
    this.heavy = options.heavy
  }

  async table(asked: PlannedRead, options: TableOptions): Promise<CallTable> {
    const planned = withCostsOfColumns(asked)
    const { plan } = planned
    if (plan.expand.length > 0) return this.expandedTable(planned, options)
    const read = (snapshot: StreamSnapshot) => this.chunksIn(snapshot, planned, options)
    const chunks = this.store.stream(tablesOf(plan), { projectId: plan.projectId, signal: options.signal }, read)
    // Errors before the first chunk keep their own status.
    const first = await chunks.next()
    return { columns: columnsOfTable(plan), chunks: continued(first, chunks) }
  }

  /**
   * The bytes of one Parquet file, which stays in the temporary folder until they have been read.
   */
  async parquet(planned: PlannedRead, signal: AbortSignal): Promise<AsyncGenerator<Uint8Array>> {
    const path = this.store.temporaryFile('parquet')
    const rowsFile = this.store.temporaryFile('ndjson')
    return await this.answerFiles.send({ path, rowsFile }, { key: planned.reader.userId, signal }, (either) =>
      this.writeParquet(withCostsOfColumns(planned), { path, rowsFile }, either),
    )
  }

  private async writeParquet(
    planned: PlannedRead,
    { path, rowsFile }: { path: string; rowsFile: string },
    signal: AbortSignal,
  ): Promise<void> {
    const { plan } = planned
    if (plan.expand.length > 0) {
      const table = this.expandedTable(planned, { humanReadable: false, signal })
      const copy = (sql: Sql) => this.copyToParquet(sql, path, { projectId: plan.projectId, signal })
      await copyChunksToParquet({ ...table, copy, rowsFile })
      return
    }
    const write = async (snapshot: StreamSnapshot) => {
      const copy = (sql: Sql) => snapshot.copyToParquet(sql, path)
      if (plan.output.costs) {
        const chunks = this.chunksIn(snapshot, planned, { humanReadable: false, signal })
        await copyChunksToParquet({ columns: columnsOfTable(plan), chunks, rowsFile, copy })
      } else {
        const { search, calls } = await this.searchIn(snapshot, planned, signal)
        const found = await search.narrowed(calls)
        await copy(compileTable(found.plan, found.relations, { humanReadable: false }).sql)
      }
    }
    await this.store.readLong(tablesOf(plan), { projectId: plan.projectId, signal }, write)
  }

  /** Refs are expanded in JSON text, so the cells are derived from that. */
  private expandedTable(planned: PlannedRead, { humanReadable, signal }: TableOptions): CallTable {
    const { plan } = planned
    const columns = columnsOfTable(plan)
    return { columns, chunks: tableOfLines(columns, plan, this.lines.texts(planned, signal), { humanReadable }) }
  }

  private async *chunksIn(
    snapshot: StreamSnapshot,
    planned: PlannedRead,
    { humanReadable, signal }: TableOptions,
  ): AsyncGenerator<Cell[][]> {
    const { reader, plan } = planned
    const { search, calls } = await this.searchIn(snapshot, planned, signal)
    const prices = await pricesFor(this.costs, snapshot, plan, reader)
    const mayBeMany = plan.offset === 0 && isLongStreamInTimeOrder(plan)
    let left = plan.limit
    for await (const found of mayBeMany ? narrowedInParts(search, calls) : [await search.narrowed(calls)]) {
      const { sql, columns } = compileTable({ ...found.plan, limit: left }, found.relations, { humanReadable })
      const chunks = snapshot.columns(sql)
      for await (const chunk of prices ? tableWithCosts(chunks, costlyColumns(plan, columns), prices) : chunks) {
        if (left !== undefined) left -= chunk[0]?.length ?? 0
        yield chunk
      }
      if (left === 0) return
    }
  }

  private async searchIn(snapshot: Snapshot, { reader, plan, engine }: PlannedRead, signal: AbortSignal) {
    const relations = await pricedRelations(this.costs, snapshot, plan, reader)
    return { search: this.heavy.search(snapshot, engine, signal), calls: { plan, relations } }
  }

  private async copyToParquet(sql: Sql, path: string, scope: ReadScope): Promise<void> {
    await this.store.read([callsTable.name], scope, async (snapshot) => {
      await snapshot.copyToParquet(sql, path)
    })
  }
}

async function* continued<T>(first: IteratorResult<T>, rest: AsyncGenerator<T>): AsyncGenerator<T> {
  if (first.done) return
  try {
    yield first.value
    yield* rest
  } finally {
    await rest.return(undefined)
  }
}
