import type { ReadScope } from '../../engine/reads/reads.ts'
import type { StreamSnapshot } from '../../engine/reads/snapshot.ts'
import type { Store } from '../../engine/store.ts'
import { callsTable } from '../../engine/tables/calls-table.ts'
import { limits } from '../../lib/limits.ts'
import type { Sql } from '../../lib/sql.ts'
import type { Cell } from '../../lib/table.ts'
import { columnsOfTable, compileTable } from '../../query/compile.ts'
import type { OutputColumn } from '../../query/sql/call-columns.ts'
import type { Costs } from '../costs/costs.ts'
import { costlyColumns, pricesFor, tableWithCosts } from './add-costs.ts'
import { AnswerFiles } from './answer-files.ts'
import type { CallLines } from './call-lines.ts'
import { copyChunksToParquet } from './copy-chunks.ts'
import { type AskedCalls, tablesOf } from './plan.ts'
import { pricedRelations } from './priced-relations.ts'
import { tableOfLines } from './table-of-lines.ts'

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
  /** Parquet downloads in progress. */
  readonly answerFiles = new AnswerFiles({
    filesMax: limits.answerFilesMax,
    filesPerKeyMax: limits.answerFilesPerKeyMax,
    bytesMax: limits.answerFilesBytesMax,
    lookMs: limits.answerFilesLookMs,
  })

  constructor(options: { store: Store; costs: Costs; lines: CallLines }) {
    this.store = options.store
    this.costs = options.costs
    this.lines = options.lines
  }

  async table(asked: AskedCalls, options: TableOptions): Promise<CallTable> {
    if (asked.plan.expand.length > 0) return this.expandedTable(asked, options)
    const { plan } = asked
    const read = (snapshot: StreamSnapshot) => this.chunksIn(snapshot, asked, options)
    const chunks = this.store.stream(tablesOf(plan), { projectId: plan.projectId, signal: options.signal }, read)
    // Errors before the first chunk keep their own status.
    const first = await chunks.next()
    return { columns: columnsOfTable(plan), chunks: continued(first, chunks) }
  }

  /**
   * The bytes of one Parquet file, which stays in the temporary folder until they have been read.
   */
  async parquet(asked: AskedCalls, signal: AbortSignal): Promise<AsyncGenerator<Uint8Array>> {
    const path = this.store.temporaryFile('parquet')
    const rowsFile = this.store.temporaryFile('ndjson')
    return await this.answerFiles.send({ path, rowsFile }, { key: asked.reader.userId, signal }, (either) =>
      this.writeParquet(asked, { path, rowsFile }, either),
    )
  }

  private async writeParquet(
    asked: AskedCalls,
    { path, rowsFile }: { path: string; rowsFile: string },
    signal: AbortSignal,
  ): Promise<void> {
    const { reader, plan } = asked
    if (plan.expand.length > 0) {
      const table = this.expandedTable(asked, { humanReadable: false, signal })
      const copy = (sql: Sql) => this.copyToParquet(sql, path, { projectId: plan.projectId, signal })
      await copyChunksToParquet({ ...table, copy, rowsFile })
      return
    }
    const write = async (snapshot: StreamSnapshot) => {
      const copy = (sql: Sql) => snapshot.copyToParquet(sql, path)
      if (plan.output.costs) {
        const chunks = this.chunksIn(snapshot, asked, { humanReadable: false })
        await copyChunksToParquet({ columns: columnsOfTable(plan), chunks, rowsFile, copy })
      } else {
        const relations = await pricedRelations(this.costs, snapshot, plan, reader)
        await copy(compileTable(plan, relations, { humanReadable: false }).sql)
      }
    }
    await this.store.readLong(tablesOf(plan), { projectId: plan.projectId, signal }, write)
  }

  /** Refs are expanded in JSON text, so the cells are derived from that. */
  private expandedTable(asked: AskedCalls, { humanReadable, signal }: TableOptions): CallTable {
    const { plan } = asked
    const columns = columnsOfTable(plan)
    return { columns, chunks: tableOfLines(columns, plan, this.lines.texts(asked, signal), { humanReadable }) }
  }

  private async *chunksIn(
    snapshot: StreamSnapshot,
    { reader, plan }: AskedCalls,
    { humanReadable }: Pick<TableOptions, 'humanReadable'>,
  ): AsyncGenerator<Cell[][]> {
    const relations = await pricedRelations(this.costs, snapshot, plan, reader)
    const { sql, columns } = compileTable(plan, relations, { humanReadable })
    const prices = await pricesFor(this.costs, snapshot, plan, reader)
    const chunks = snapshot.columns(sql)
    yield* prices ? tableWithCosts(chunks, costlyColumns(plan, columns), prices) : chunks
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
