import { computedCallColumns, readableNames, sqlColumns, sqlTables, usageView } from '../../domains/sql/index.ts'
import { present } from '../../lib/present.ts'

const sqlTypes = {
  text: 'VARCHAR',
  json: 'JSON',
  time: 'TIMESTAMP',
  integer: 'BIGINT',
  number: 'DOUBLE',
  texts: 'VARCHAR[]',
}

/** A table and its columns, as Markdown; undefined for a table that SQL may not read. */
export function describeTable(name: string): string | undefined {
  if (name === usageView.name) return markdown(usageView)
  const table = sqlTables.find((one) => one.name === name)
  if (table === undefined) return undefined
  const stored = sqlColumns(table).map((column) => ({ ...column, type: sqlTypes[column.type] }))
  return markdown({ ...table, columns: [...stored, ...(name === 'calls' ? computedCallColumns : [])] })
}

interface Described {
  readonly name: string
  readonly description: string
  readonly columns: readonly { readonly name: string; readonly type: string; readonly description: string }[]
}

const markdown = ({ name, description, columns }: Described): string =>
  [`## ${name}`, description, ...columns.map((one) => `- ${one.name} ${one.type}: ${one.description}`)].join('\n')

/** All tables that SQL may read. */
export const describeTables = (): string =>
  [
    '# Tables',
    "DuckDB SQL; every table holds the rows of one project only. Members of JSON columns: `inputs->>'question'`.",
    ...readableNames.map((name) => present(describeTable(name), `The description of ${name}`)),
  ].join('\n\n')
