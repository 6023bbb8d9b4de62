import { valueAt } from '../../lib/present.ts'
import type { Cell, CellReader, Column, Lineage, Rollup, Row, Table } from '../../lib/table.ts'
import type { CellPosition, RowShape } from '../../lib/typed-rows.ts'
import { type CellOf, type ColumnOptions, type ColumnSpec, type ColumnSpecs, storedColumn, text } from './columns.ts'

/** A table with what readers of the documentation and of the store as a whole need to know. */
export interface DescribedTable extends Table {
  /** Markdown. */
  readonly description: string
  readonly specs: ColumnSpecs
  /** Tables that rows of this one point at, and that are therefore written first. */
  readonly refersTo: readonly DescribedTable[]
  /** Deletes the row of this key. */
  tombstone(projectId: string, id: string, nowMicros: number): Row
}

/** A table whose rows, cells and column names the compiler checks. */
export interface TypedTable<C extends ColumnSpecs> extends DescribedTable {
  readonly specs: C
  /**
   * Position of the cell of each column, by which `cellAt` reads it with its type. Resolved once,
   * so that hot paths index rows by number.
   */
  readonly at: Positions<C>
  /** A row with exactly these cells. A column that is missing or misspelt does not compile. */
  row(cells: StoredCells<C>): Row
  /** Names columns for a query, and types the rows of its answer. */
  select<const Names extends readonly (keyof C & string)[]>(...names: Names): Selection<Pick<Cells<C>, Names[number]>>
}

/** The position of each column. */
type Positions<C extends ColumnSpecs> = { readonly [Name in keyof C]: CellPosition<CellOf<C[Name]>> }

/** The cells of a whole row, by column. */
type Cells<C extends ColumnSpecs> = { readonly [Name in keyof C]: CellOf<C[Name]> }

/** The cells that a writer provides: all that the server does not derive. */
type StoredCells<C extends ColumnSpecs> = {
  readonly [Name in keyof C as C[Name]['options'] extends { derived: true } ? never : Name]: CellOf<C[Name]>
}

/** The row type of a table: its cells by column. */
export type RowOf<T extends DescribedTable> = Cells<T['specs']>

/** Some columns of a table, in an order of the reader's choice. Trusts the table's description. */
export interface Selection<R> extends RowShape<R> {
  readonly columns: readonly (keyof R & string)[]
}

/** Columns that clients may name, with their options. */
export const clientColumns = ({ columns, specs }: DescribedTable): readonly ClientColumn[] =>
  columns.flatMap(({ name, type, storedIn }) => {
    const options = specs[name]?.options ?? {}
    return storedIn === 'wal' || options.exposed === 'server' ? [] : [{ name, type, ...options }]
  })

interface ClientColumn extends ColumnOptions, Pick<Column, 'name' | 'type'> {}

interface Description<C extends ColumnSpecs, Id extends keyof C & string> {
  readonly name: string
  readonly description: string
  /** The content of `project_id`, where it is not a project. */
  readonly project?: string
  /** All columns but `project_id`, which comes first, and the tombstone, which comes last. */
  readonly columns: C
  /** Column that identifies a row within its project. */
  readonly id: Id
  /** Sort order of the rows in a data file, within a project. */
  readonly order: readonly (keyof C & string)[]
  /** Rows in which it is null are not shown. */
  readonly presence: keyof C & string
  /** Time of the last change; `created_at` unless stated. */
  readonly updatedAt?: keyof C & string
  /** Column that marks a deletion; `deleted_at` unless stated. */
  readonly tombstone?: string
  readonly refersTo?: readonly DescribedTable[]
  /** For rows that arrive in parts: their cells merge. Otherwise a write replaces the row. */
  readonly parts?: {
    readonly completion: keyof C & string
    derive(row: Row): void
    derivedOf(row: CellReader): Row | undefined
    detach?: { readonly column: keyof C & string; run(row: Row, part: Row): void }
    /** Given the positions of the cells by column. */
    lineage?: (cells: { readonly at: Positions<NoInfer<C>>; readonly id: number }) => Lineage
  }
  readonly rollup?: Rollup
  /** See `Table`. */
  readonly rowGroupBytes?: number
}

/** Marks a row in the log that is all of a row, rather than a part. */
const whole = {
  name: 'is_whole',
  type: 'integer',
  description: '1: the row has all cells of a call, rather than those of a part',
  storedIn: 'wal',
} as const

type WithProject<C> = { readonly project_id: ColumnSpec<'text', { bounds: true }> } & C

/**
 * Makes a table of its description. What follows from it: see `TypedTable`, `queryFields` and
 * `tables`.
 */
export function defineTable<const C extends ColumnSpecs, Id extends keyof C & string>({
  name,
  description,
  project = 'entity/project',
  columns: given,
  id,
  order,
  presence,
  updatedAt = 'created_at',
  tombstone = 'deleted_at',
  refersTo = [],
  parts,
  rollup,
  rowGroupBytes,
}: Description<C, Id>): TypedTable<WithProject<C>> {
  const specs: WithProject<C> = { project_id: text(project, { bounds: true }), ...given }
  const stated = Object.entries<ColumnSpec>(specs)
  const names = stated.map(([column]) => column)
  const mark = { name: tombstone, type: 'time', description: 'marks a deletion', storedIn: 'wal' } as const
  const columns = [...stated.map(([column, spec]) => storedColumn(column, spec)), ...(parts ? [whole] : []), mark]
  const positions = new Map(names.map((column, index) => [column, index]))
  const at = Object.fromEntries(positions) as Positions<WithProject<C>>
  const [idCell, updatedCell] = [valueAt(positions, id), valueAt(positions, updatedAt)]
  const noCells: readonly Cell[] = columns.map(() => null)
  // Rows that arrive whole are complete: their time of change is never null.
  const completion = parts?.completion ?? updatedAt
  for (const column of [id, ...order, presence, updatedAt, completion]) {
    if (!positions.has(column)) throw new Error(`Define the table ${name}: it has no column ${column}`)
  }
  const withOption = (option: 'located' | 'counted' | 'searched') =>
    stated.flatMap(([column, { options }]) => (options[option] ? [column] : []))
  const withId = (option: 'bounds' | 'bloom') =>
    stated.flatMap(([column, { options }]) => (options[option] || column === id ? [column] : []))
  return {
    name,
    description,
    specs,
    columns,
    key: ['project_id', id],
    merge: parts === undefined ? 'row' : 'cells',
    order: ['project_id', ...order],
    bounded: withId('bounds'),
    filtered: withId('bloom'),
    located: withOption('located'),
    counted: withOption('counted'),
    pathed: stated.flatMap(
      ([
        column,
        {
          options: { pathed },
        },
      ]) => (pathed === undefined ? [] : [{ name: column, ...(pathed !== true && pathed) }]),
    ),
    searched: withOption('searched'),
    rollup,
    rowGroupBytes,
    updatedAtColumn: updatedAt,
    tombstoneColumn: tombstone,
    ...(parts && { wholeColumn: whole.name }),
    presenceColumn: presence,
    completionColumn: completion,
    derive: parts?.derive ?? (() => {}),
    ...(parts && { derivedOf: parts.derivedOf }),
    ...(parts?.detach && { detach: { cell: valueAt(positions, parts.detach.column), run: parts.detach.run } }),
    ...(parts?.lineage && { lineage: parts.lineage({ at, id: idCell }) }),
    refersTo,
    at,
    row(cells: Readonly<Record<string, Cell>>) {
      const row = noCells.slice()
      let index = 0
      for (const column of names) row[index++] = cells[column] ?? null
      return row
    },
    tombstone(projectId, key, nowMicros) {
      const row = noCells.slice()
      row[0] = projectId
      row[idCell] = key
      row[updatedCell] = nowMicros
      row[columns.length - 1] = nowMicros
      return row
    },
    select: (...selected) => ({
      columns: selected,
      read(cells) {
        const row: Record<string, Cell | undefined> = {}
        let index = 0
        for (const column of selected) row[column] = cells[index++]
        return row as never
      },
      readColumns: (cells) => Object.fromEntries(selected.map((column, index) => [column, cells[index]])) as never,
    }),
  }
}
