import type { Snapshot } from '../../engine/reads/snapshot.ts'
import type { Store } from '../../engine/store.ts'
import type { ColumnSpecs } from '../../engine/tables/columns.ts'
import type { Selection, TypedTable } from '../../engine/tables/define-table.ts'
import type { RecordsRequest } from '../../formats/schemas/records-request.ts'
import { itemAt } from '../../lib/present.ts'
import type { Cell } from '../../lib/table.ts'
import { formatTime } from '../../lib/time.ts'
import { ascendingBy, type SortRules } from '../../query/sort.ts'
import { tableCatalog } from '../../query/table-catalog.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import { newId } from '../../runtime/platform/new-id.ts'
import type { ProjectReader, ProjectWriter } from '../access/index.ts'
import { TableRows } from './table-rows.ts'

/** Cells of a new record; the server sets the others. */
type NewCells<C extends ColumnSpecs> = Omit<Parameters<TypedTable<C>['row']>[0], 'project_id' | 'id' | 'created_at'>

interface RecordsParts<C extends ColumnSpecs> {
  readonly store: Store
  readonly clock: Clock
  /** Must have the columns `id` and `created_at`. */
  readonly table: TypedTable<C>
  /** Members returned by a query that names no fields; defaults to all columns. */
  readonly usual?: readonly (keyof C & string)[]
}

/** Fields of the records of `table`: all of its columns, ordered by id. */
export const recordRules = ({ specs }: Pick<TypedTable<ColumnSpecs>, 'specs'>): SortRules => ({
  catalog: tableCatalog({ columns: shown(specs).map(([name, { type }]) => ({ name, type })) }),
  otherwise: [],
  tieBreaker: ascendingBy('id'),
})

const shown = (specs: ColumnSpecs) => Object.entries(specs).filter(([name]) => name !== 'project_id')

/**
 * CRUD for a small table whose records never change: create, query and purge. Tables with rules of
 * their own wrap this in their own service.
 */
export class Records<C extends ColumnSpecs> {
  private readonly store: Store
  private readonly clock: Clock
  private readonly table: TypedTable<C>
  private readonly usual: readonly string[]
  private readonly rows: TableRows

  constructor({ store, clock, table, usual = shown(table.specs).map(([name]) => name) }: RecordsParts<C>) {
    this.store = store
    this.clock = clock
    this.table = table
    this.usual = usual
    this.rows = new TableRows({ store, table, rules: recordRules(table) })
  }

  /** Adds records without overwriting any. Returns their ids in order. */
  async create(writer: ProjectWriter, records: readonly NewCells<C>[]): Promise<string[]> {
    const created_at = this.clock.nowMs() * 1000
    const created = records.map((cells) => {
      const id = newId()
      return { id, row: this.table.row({ ...cells, project_id: writer.projectId, id, created_at } as never) }
    })
    await this.store.write(
      this.table.name,
      created.map(({ row }) => row),
    )
    return created.map(({ id }) => id)
  }

  /**
   * Records as JSON texts in batches. Members that were not requested are null.
   *
   * @throws DomainError InvalidField, InvalidRequest; ValidationError
   */
  async *query(
    reader: ProjectReader,
    { fields, ...request }: RecordsRequest,
    signal: AbortSignal,
  ): AsyncGenerator<string[]> {
    const names = fields && fields.length > 0 ? fields : this.usual
    const places = new Map([...this.usual, ...names].map((name) => [name, names.lastIndexOf(name)]))
    const members = [...places].map(([name, at]) => ({ name, at, start: `${JSON.stringify(name)}:` }))
    for await (const rows of this.rows.selectInTurn(reader, names, request, signal)) {
      yield rows.map((cells) => {
        const texts = members.map(
          ({ name, at, start }) => start + (at < 0 ? 'null' : this.json(name, itemAt(cells, at))),
        )
        return `{${texts.join(',')}}`
      })
    }
  }

  /** All records of the project, from a snapshot that contains the table. */
  async selectIn<R>(snapshot: Snapshot, reader: ProjectReader, selection: Selection<R>): Promise<R[]> {
    return await this.rows.selectIn(snapshot, reader, selection, {})
  }

  /**
   * Removes records by id. Unknown ids are ignored.
   *
   * @throws DomainError InvalidRequest if the query selects by anything but ids
   */
  async purge(writer: ProjectWriter, query: unknown): Promise<void> {
    const ids = await this.rows.existingIds(writer, query, { allowsIn: true })
    const nowMicros = this.clock.nowMs() * 1000
    const rows = ids.map((id) => this.table.tombstone(writer.projectId, id, nowMicros))
    await this.store.write(this.table.name, rows)
  }

  private json(name: string, cell: Cell): string {
    const type = this.table.specs[name]?.type
    if (type === 'json' && typeof cell === 'string') return cell
    return JSON.stringify(type === 'time' && typeof cell === 'number' ? formatTime(cell) : cell)
  }
}
