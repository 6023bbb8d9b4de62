import { isJsonObject } from '../../lib/json-value.ts'
import type { Column, ColumnType } from '../../lib/table.ts'
import type { MetaData } from './actions.ts'

const deltaTypes: Readonly<Record<ColumnType, unknown>> = {
  text: 'string',
  json: 'string',
  time: 'timestamp',
  integer: 'long',
  number: 'double',
  texts: { type: 'array', elementType: 'string', containsNull: true },
}

interface Field {
  readonly name: string
  readonly type: unknown
  readonly nullable?: boolean
  readonly metadata?: Readonly<Record<string, unknown>>
}

/**
 * A table's schema in the form of `metaData.schemaString`; the fields of `before` are kept
 * unchanged.
 */
export function schemaString(columns: readonly Column[], before?: string): string {
  const fields = before === undefined ? [] : fieldsOf(before)
  const known = new Set(fields.map(({ name }) => name))
  const added = columns.filter(({ name }) => !known.has(name))
  return JSON.stringify({
    type: 'struct',
    fields: [
      ...fields,
      ...added.map(({ name, type, description }) => ({
        name,
        type: deltaTypes[type],
        nullable: true,
        metadata: { comment: description },
      })),
    ],
  })
}

/** The column names of a `schemaString`. */
export const columnsOfSchema = (schema: string): string[] => fieldsOf(schema).map(({ name }) => name)

/**
 * Why a table changed by other engines no longer has these columns, as a predicate whose subject is
 * the table; undefined if it still has. Columns may be missing or reordered.
 *
 * @param options `key`: columns that are never null
 */
export function schemaMismatch(
  columns: readonly Column[],
  { schemaString: schema, partitionColumns, format }: MetaData['metaData'],
  { key }: { key: readonly string[] },
): string | undefined {
  if (format.provider !== 'parquet') return `stores its rows as ${format.provider}, not as Parquet`
  if (partitionColumns.length > 0) return `is partitioned by ${partitionColumns.join(', ')}`
  for (const { name, type, nullable } of fieldsOf(schema)) {
    const column = columns.find((known) => known.name === name)
    if (column === undefined) return `has the column ${name}, which is unknown to this version`
    if (typeText(type) !== typeText(deltaTypes[column.type]))
      return `has the column ${name} as ${typeText(type)}, not as ${typeText(deltaTypes[column.type])}`
    if (nullable === false && !key.includes(name)) return `does not allow nulls in ${name}`
  }
  return undefined
}

const typeText = (type: unknown): string => {
  if (typeof type === 'string') return type
  const { type: kind, elementType } = isJsonObject(type) ? type : {}
  return kind === 'array' ? `array of ${typeText(elementType)}` : String(kind)
}

const fieldsOf = (schema: string): readonly Field[] => {
  const { fields }: { fields: Field[] } = JSON.parse(schema)
  return fields
}
