import { sqlColumns, sqlTables } from '../../features/sql/sql-tables.ts'

const sqlTypes = {
  text: 'VARCHAR',
  json: 'JSON',
  time: 'TIMESTAMP',
  integer: 'BIGINT',
  number: 'DOUBLE',
  texts: 'VARCHAR[]',
}

export const tableNames: readonly string[] = sqlTables.map(({ name }) => name)

/** A table and its columns, as Markdown; undefined for a table that SQL may not read. */
export function describeTable(name: string): string | undefined {
  const table = sqlTables.find((one) => one.name === name)
  if (table === undefined) return undefined
  const columns = sqlColumns(table).map((column) => `- ${column.name} ${sqlTypes[column.type]}: ${column.description}`)
  return `## ${table.name}\n${table.description}\n${columns.join('\n')}`
}

/** All tables that SQL may read. */
export const describeTables = (): string =>
  [
    '# Tables',
    "DuckDB SQL; every table holds the rows of one project only. Members of JSON columns: `inputs->>'question'`.",
    ...tableNames.map((name) => describeTable(name)!),
  ].join('\n\n')
