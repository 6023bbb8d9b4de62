import type { DescribedTable } from '../../engine/tables/define-table.ts'
import { ownValue } from '../../lib/present.ts'
import { computedCallColumns, type ShownColumn, usageView } from './computed-columns.ts'
import { sqlColumns, sqlTables } from './open-sql-tables.ts'

/** A table that statements can read. */
export interface ShownTable {
  readonly name: string
  /** Markdown. */
  readonly description: string
  readonly columns: readonly ShownColumn[]
}

/** Types of columns as DuckDB names them; JSON columns are texts that its JSON functions read. */
const shownTypes = {
  text: 'VARCHAR',
  json: 'JSON',
  time: 'TIMESTAMP',
  integer: 'BIGINT',
  number: 'DOUBLE',
  texts: 'VARCHAR[]',
} as const

/** Columns that are computed, by the table that has them. */
const computed: Readonly<Record<string, readonly ShownColumn[]>> = { calls: computedCallColumns }

const shown = (table: DescribedTable): ShownTable => ({
  name: table.name,
  description: table.description,
  columns: [
    ...sqlColumns(table).map(({ name, type, description }) => ({ name, type: shownTypes[type], description })),
    ...(ownValue(computed, table.name) ?? []),
  ],
})

/** Everything that statements of users can read, with the descriptions of docs/data-on-disk.md. */
export const sqlSchema: readonly ShownTable[] = [
  ...sqlTables.map(shown),
  {
    ...usageView,
    columns: [
      { name: 'project_id', type: 'VARCHAR', description: 'project of the call, as `entity/project`' },
      ...usageView.columns,
    ],
  },
]
