import type { ReadLimits } from '../duck/reader.ts'
import { DomainError } from '../errors.ts'
import type { ProjectReader } from '../foundation/access/caller.ts'
import type { Sql } from '../kernel/sql.ts'
import type { Cell, Table } from '../kernel/table.ts'
import { limits } from '../limits.ts'
import type { TableQuestion } from '../model/table-question.ts'
import { idsNamedBy } from '../query/named-ids.ts'
import { parsePage } from '../query/page.ts'
import {
  compilePartList,
  compileTableBytes,
  compileTableCount,
  compileTableParts,
  compileTableQuery,
  compileTableTexts,
  type TablePart,
} from '../query/sql/table-statements.ts'
import { resolveTableField, type TableFields } from '../query/table-fields.ts'
import { parseTableSort, type TablePlan } from '../query/table-plan.ts'
import { parseTableQuery } from '../query/table-query/parse-query.ts'
import type { Snapshot, StreamSnapshot } from '../store/snapshot.ts'
import type { Store } from '../store/store.ts'

export type RowsQuestion = Omit<TableQuestion, 'project_id' | 'fields'>

const keptTable = 'rows_by_part'

/** Reads rows of one small table (prices, feedback) by the query language, always of one project. */
export class TableRows {
  readonly fields: TableFields
  private readonly store: Store
  private readonly table: Table
  private readonly queryTimeoutMs: number
  private readonly order: readonly { readonly field: string; readonly direction: 'asc' | 'desc' }[]

  constructor(options: {
    store: Store
    table: Table
    fields: TableFields
    queryTimeoutMs: number
    /** Order of rows where none is asked for; `id` breaks ties. */
    order: readonly { readonly field: string; readonly direction: 'asc' | 'desc' }[]
  }) {
    this.store = options.store
    this.table = options.table
    this.fields = options.fields
    this.queryTimeoutMs = options.queryTimeoutMs
    this.order = options.order
  }

  /**
   * Cells of `names` (columns, or paths inside JSON columns), a row each.
   *
   * @throws DomainError InvalidField, InvalidRequest; RequestInvalid for a query that does not fit the grammar
   */
  async select(reader: ProjectReader, names: readonly string[], question: RowsQuestion): Promise<Cell[][]> {
    const plan = this.plan(reader, names, question)
    if (plan.limit === 0) return []
    return await this.store.read([this.table.name], (snapshot) => this.selectFrom(snapshot, plan))
  }

  /** The same rows, some at a time: however many there are, few are in memory. */
  async *selectInTurn(
    reader: ProjectReader,
    names: readonly string[],
    question: RowsQuestion,
    signal: AbortSignal,
  ): AsyncGenerator<Cell[][]> {
    const plan = this.plan(reader, names, question)
    if (plan.limit === 0) return
    const read = (snapshot: StreamSnapshot) => {
      const sql = compileTableQuery(plan, this.relation(snapshot, plan))
      return snapshot.reader.rowsInTurn(sql, { timeoutMs: this.queryTimeoutMs, signal })
    }
    yield* this.store.stream([this.table.name], read, signal)
  }

  /**
   * The same rows as JSON texts, some at a time: objects whose members have the names that were asked for. However many there are, few
   * are in memory.
   *
   * @param leftOut columns that are left out of rows in which they are null, or this JSON text
   */
  async *texts(
    reader: ProjectReader,
    names: readonly string[],
    question: RowsQuestion,
    { leftOut, signal }: { readonly leftOut: ReadonlyMap<string, string>; readonly signal: AbortSignal },
  ): AsyncGenerator<string[]> {
    const plan = this.plan(reader, names, question)
    if (plan.limit === 0) return
    yield* this.store.stream([this.table.name], (snapshot) => this.textsIn(snapshot, plan, { leftOut, signal }), signal)
  }

  private async *textsIn(
    snapshot: StreamSnapshot,
    plan: TablePlan,
    { leftOut, signal }: { readonly leftOut: ReadonlyMap<string, string>; readonly signal: AbortSignal },
  ): AsyncGenerator<string[]> {
    const relation = this.relation(snapshot, plan)
    const readLimits = { timeoutMs: this.queryTimeoutMs, signal }
    // DuckDB gives 2,048 rows at a time, however large they are, so that large ones are asked for in parts.
    for (const part of await this.parts(snapshot, plan, readLimits)) {
      yield* snapshot.reader.texts(compileTableTexts(plan, relation, leftOut, part), readLimits)
    }
  }

  /** Parts of an answer that is large; undefined, for all of it, where it is not. */
  private async parts(
    snapshot: Snapshot,
    plan: TablePlan,
    readLimits: ReadLimits,
  ): Promise<readonly (TablePart | undefined)[]> {
    const { reader } = snapshot
    const relation = this.relation(snapshot, plan)
    const isShort = plan.limit !== undefined && plan.limit <= limits.fewRowsMax
    if (isShort || !plan.fields.some(({ type }) => type === 'json')) return [undefined]
    const [sum] = await reader.rows(compileTableBytes(plan, relation), readLimits)
    if ((sum![0] as number) <= limits.streamWindowBytes) return [undefined]
    await reader.createTempTable(keptTable, compileTableParts(plan, relation, limits.streamWindowBytes), readLimits)
    const found = (await reader.rows(compilePartList(keptTable), readLimits)) as [number, string, string][]
    return found.map(([part, minId, maxId]) => ({ table: keptTable, part, minId, maxId }))
  }

  /** As `select`, from a snapshot that the caller holds. */
  async selectIn(
    snapshot: Snapshot,
    reader: ProjectReader,
    names: readonly string[],
    question: RowsQuestion,
  ): Promise<Cell[][]> {
    return await this.selectFrom(snapshot, this.plan(reader, names, question))
  }

  async count(reader: ProjectReader, question: RowsQuestion, signal: AbortSignal): Promise<number> {
    const plan = this.plan(reader, ['id'], question)
    return await this.store.read(
      [this.table.name],
      async (snapshot) => {
        const sql = compileTableCount(plan, this.relation(snapshot, plan))
        const [row] = await snapshot.reader.rows(sql, { timeoutMs: this.queryTimeoutMs, signal })
        return row![0] as number
      },
      signal,
    )
  }

  /**
   * The ids that a purge names, as far as there are such rows.
   *
   * @throws DomainError InvalidRequest where the query names anything but ids, or too many
   */
  async existingIds(reader: ProjectReader, query: unknown, options: { allowsIn: boolean }): Promise<string[]> {
    const ids = idsNamedBy(parseTableQuery(query, this.fields), options)
    if (ids === undefined) {
      throw new DomainError('InvalidRequest', 'Purge: the query has to name ids, and nothing but ids')
    }
    if (ids.length > limits.purgeIdsMax) {
      throw new DomainError(
        'InvalidRequest',
        `Purge: ${ids.length} ids are more than the ${limits.purgeIdsMax} allowed`,
      )
    }
    return (await this.select(reader, ['id'], { query })).map(([id]) => id as string)
  }

  private plan(reader: ProjectReader, names: readonly string[], question: RowsQuestion): TablePlan {
    if (names.length > limits.columnsMax) {
      throw new DomainError(
        'InvalidRequest',
        `Read fields: ${names.length} are more than the ${limits.columnsMax} allowed`,
      )
    }
    return {
      projectId: reader.projectId,
      fields: names.map((name) => resolveTableField(this.fields, name)),
      where: parseTableQuery(question.query, this.fields),
      sort: parseTableSort(this.fields, question.sort_by, this.order),
      ...parsePage(question),
    }
  }

  private async selectFrom(snapshot: Snapshot, plan: TablePlan): Promise<Cell[][]> {
    return await this.rows(snapshot, compileTableQuery(plan, this.relation(snapshot, plan)))
  }

  private relation(snapshot: Snapshot, { projectId, where }: TablePlan) {
    const ids = idsNamedBy(where, { allowsIn: true })
    return snapshot.relation(this.table.name, ids ? { projectId, anyOf: new Map([['id', ids]]) } : { projectId })
  }

  private rows(snapshot: Snapshot, sql: Sql): Promise<Cell[][]> {
    return snapshot.reader.rows(sql, { timeoutMs: this.queryTimeoutMs })
  }
}
