import { readableNames, sqlSchema } from '../../domains/sql/index.ts'
import { present } from '../../lib/present.ts'

/**
 * A table and its columns, as Markdown; undefined for a table that SQL may not read. Agents read
 * one project, so its column is left out.
 */
export function describeTable(name: string): string | undefined {
  const table = sqlSchema.find((one) => one.name === name)
  if (table === undefined) return undefined
  const columns = table.columns.filter((column) => column.name !== 'project_id')
  return [
    `## ${name}`,
    table.description,
    ...columns.map((one) => `- ${one.name} ${one.type}: ${one.description}`),
  ].join('\n')
}

/** All tables that SQL may read. */
export const describeTables = (): string =>
  [
    '# Tables',
    "DuckDB SQL; every table holds the rows of one project only. Members of JSON columns: `inputs->>'question'`.",
    ...readableNames.map((name) => present(describeTable(name), `The description of ${name}`)),
  ].join('\n\n')
