import type { Column, ColumnType } from '../lib/table.ts'
import type { Catalog, CatalogEntry, ColumnField, Field, Spelling } from './catalog.ts'

export interface TableCatalogOptions {
  /** Columns that may be named. */
  readonly columns: readonly Pick<Column, 'name' | 'type'>[]
  /** Accepted spellings of a column; its own name alone unless given. */
  readonly namesOf?: (column: string) => readonly string[]
  /** Spelling that errors suggest; the column's own name unless given. */
  readonly nameOf?: (column: string) => string
  /** Columns whose texts are stored in another spelling than clients may use. */
  readonly spellings?: ReadonlyMap<string, Spelling>
}

/** The fields of a table whose columns are named on the wire. Paths lead into JSON columns. */
export function tableCatalog({
  columns,
  namesOf = (name) => [name],
  nameOf = (name) => name,
  spellings = new Map(),
}: TableCatalogOptions): Catalog {
  const fields = columns.flatMap((column) => {
    const field = fieldOf(column, spellings.get(column.name))
    return namesOf(column.name).map((name): [string, CatalogEntry] => [name, field])
  })
  return { fields: new Map(fields), suggestions: columns.map(({ name }) => nameOf(name)), isLenient: true }
}

/** Types of fields, by the type of their column. */
export const columnTypes: Readonly<Record<Exclude<ColumnType, 'json'>, ColumnField['type']>> = {
  text: 'text',
  time: 'time',
  integer: 'integer',
  number: 'double',
  texts: 'texts',
}

function fieldOf({ name, type }: Pick<Column, 'name' | 'type'>, spelling: Spelling | undefined): Field {
  if (type === 'json') return { kind: 'json', column: name, path: [] }
  return { kind: 'column', column: name, type: columnTypes[type], ...(spelling && { spelling }) }
}
