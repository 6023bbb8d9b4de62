import type { Column, ColumnType } from '../../model/table.ts'

const deltaTypes: Readonly<Record<ColumnType, unknown>> = {
  text: 'string',
  json: 'string',
  time: 'timestamp',
  integer: 'long',
  number: 'double',
  texts: { type: 'array', elementType: 'string', containsNull: true },
}

/** The schema of a table as Delta Lake writes it into `metaData.schemaString`. */
export function schemaString(columns: readonly Column[]): string {
  return JSON.stringify({
    type: 'struct',
    fields: columns.map(({ name, type, description }) => ({
      name,
      type: deltaTypes[type],
      nullable: true,
      metadata: { comment: description },
    })),
  })
}

/** Names of the columns of a `schemaString`. */
export const columnsOfSchema = (schema: string): string[] =>
  (JSON.parse(schema) as { fields: { name: string }[] }).fields.map(({ name }) => name)
