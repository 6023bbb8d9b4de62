import type { Snapshot, StreamSnapshot } from '../../engine/reads/snapshot.ts'
import type { Store } from '../../engine/store.ts'
import type { Selection } from '../../engine/tables/define-table.ts'
import { responseLimits } from '../../lib/limits/responses.ts'
import { itemAt } from '../../lib/present.ts'
import type { Cell, Table } from '../../lib/table.ts'
import { rowShape } from '../../lib/typed-rows.ts'
import { type Field, resolveField } from '../../query/catalog.ts'
import { all, fieldOneOf } from '../../query/expression.ts'
import type { SortRules } from '../../query/sort.ts'
import {
  compilePartList,
  compileTableBytes,
  compileTableCount,
  compileTableParts,
  compileTableQuery,
  compileTableTexts,
  type TablePart,
} from '../../query/sql/table-statements.ts'
import { planPurge, planTable, type RowsRequest, type TablePlan } from '../../query/table-plan.ts'
import type { ProjectReader } from '../access/index.ts'
import { startAfter } from './after-cursor.ts'

const keptTable = 'rows_by_part'
const idAlone = rowShape({ id: 'text' })

/**
 * Reads rows of one small table (prices, feedback) with the query language, always within one
 * project.
 */
export class TableRows {
  private readonly store: Store
  private readonly table: Table
  private readonly rules: SortRules

  /** @param options.rules the fields of the rows and their order */
  constructor(options: { store: Store; table: Table; rules: SortRules }) {
    this.store = options.store
    this.table = options.table
    this.rules = options.rules
  }

  /** The field with this name, for the server's own conditions. @throws DomainError InvalidField */
  field(name: string): Field {
    return resolveField(this.rules.catalog, name)
  }

  /**
   * The selected cells of each row.
   *
   * @throws DomainError InvalidField, InvalidRequest; ValidationError for a query that does not fit
   *   the grammar
   */
  async select<R>(reader: ProjectReader, { columns, read }: Selection<R>, request: RowsRequest): Promise<R[]> {
    const plan = this.plan(reader, columns, request)
    if (plan.limit === 0) return []
    return await this.store.read([this.table.name], reader, async (snapshot) =>
      (await this.rowsOf(snapshot, plan)).map(read),
    )
  }

  /**
   * Cells of `names` (columns, or paths inside JSON columns), a row each, some at a time: however
   * many there are, few are in memory.
   */
  async *selectInTurn(
    reader: ProjectReader,
    names: readonly string[],
    request: RowsRequest,
    signal: AbortSignal,
  ): AsyncGenerator<Cell[][]> {
    const plan = this.plan(reader, names, request)
    if (plan.limit === 0) return
    const read = (snapshot: StreamSnapshot) => {
      const sql = compileTableQuery(plan, this.relation(snapshot, plan))
      return snapshot.rowsInTurn(sql)
    }
    yield* this.store.stream([this.table.name], { projectId: reader.projectId, signal }, read)
  }

  /**
   * The same rows as JSON texts in batches, with constant memory: objects whose members have the
   * requested names.
   *
   * @param leftOut columns omitted from rows in which they are null, or have this JSON text
   */
  async *texts(
    reader: ProjectReader,
    names: readonly string[],
    request: RowsRequest,
    { leftOut, signal }: { readonly leftOut: ReadonlyMap<string, string>; readonly signal: AbortSignal },
  ): AsyncGenerator<string[]> {
    const plan = this.plan(reader, names, request)
    if (plan.limit === 0) return
    yield* this.store.stream([this.table.name], { projectId: reader.projectId, signal }, (snapshot) =>
      this.textsIn(snapshot, plan, leftOut),
    )
  }

  private async *textsIn(
    snapshot: StreamSnapshot,
    planned: TablePlan,
    leftOut: ReadonlyMap<string, string>,
  ): AsyncGenerator<string[]> {
    const plan = await this.begun(snapshot, planned)
    const relation = this.relation(snapshot, plan)
    // DuckDB returns 2,048 rows at a time, however large they are, so large results are read in
    // parts.
    for (const part of await this.parts(snapshot, plan)) {
      yield* snapshot.texts(compileTableTexts(plan, relation, leftOut, part))
    }
  }

  /** The plan of a page that begins after the row of its cursor. */
  private async begun(snapshot: Snapshot, plan: TablePlan): Promise<TablePlan> {
    const { cursor, projectId, sort } = plan
    if (cursor === undefined) return plan
    const { after, bound } = await startAfter(snapshot, { tableName: this.table.name, projectId }, cursor, sort)
    return { ...plan, after, where: all([plan.where, bound]) }
  }

  /** Parts of a large result; undefined to read everything at once. */
  private async parts(snapshot: Snapshot, plan: TablePlan): Promise<readonly (TablePart | undefined)[]> {
    const relation = this.relation(snapshot, plan)
    const isShort = plan.limit !== undefined && plan.limit <= responseLimits.fewRowsMax
    if (isShort || !plan.fields.some(({ field }) => field.kind === 'json')) return [undefined]
    const { bytes } = itemAt(await snapshot.rows(compileTableBytes(plan, relation)), 0)
    if (bytes <= responseLimits.streamWindowBytes) return [undefined]
    await snapshot.createTempTable(keptTable, compileTableParts(plan, relation, responseLimits.streamWindowBytes))
    const found = await snapshot.rows(compilePartList(keptTable))
    return found.map((part) => ({ table: keptTable, ...part }))
  }

  /** Like `select`, on a snapshot that the caller has pinned. */
  async selectIn<R>(
    snapshot: Snapshot,
    reader: ProjectReader,
    { columns, read }: Selection<R>,
    request: RowsRequest,
  ): Promise<R[]> {
    return (await this.rowsOf(snapshot, this.plan(reader, columns, request))).map(read)
  }

  async count(reader: ProjectReader, request: RowsRequest, signal: AbortSignal): Promise<number> {
    const plan = this.plan(reader, ['id'], request)
    return await this.store.read([this.table.name], { projectId: reader.projectId, signal }, async (snapshot) => {
      const sql = compileTableCount(plan, this.relation(snapshot, plan))
      return itemAt(await snapshot.rows(sql), 0).count
    })
  }

  /**
   * The ids selected by a purge that exist.
   *
   * @throws DomainError InvalidRequest if the query selects by anything but ids, or too many
   */
  async existingIds(reader: ProjectReader, query: unknown, options: { allowsIn: boolean }): Promise<string[]> {
    const ids = planPurge(query, this.rules.catalog, options)
    if (ids.length === 0) return []
    const where = fieldOneOf(this.field('id'), ids)
    return (await this.select(reader, idAlone, { where })).map(({ id }) => id)
  }

  private plan(reader: ProjectReader, names: readonly string[], request: RowsRequest): TablePlan {
    return planTable(reader.projectId, names, request, this.rules)
  }

  private async rowsOf(snapshot: Snapshot, plan: TablePlan): Promise<Cell[][]> {
    const relation = this.relation(snapshot, plan)
    return relation.isEmpty ? [] : await snapshot.rows(compileTableQuery(plan, relation))
  }

  private relation(snapshot: Snapshot, { anyOf }: TablePlan) {
    return snapshot.relation(this.table.name, anyOf)
  }
}
