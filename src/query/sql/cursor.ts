import type { Sql } from '../../lib/sql.ts'
import { type RowOfShape, rowShape } from '../../lib/typed-rows.ts'
import { type Field, type JsonField, ofSpan } from '../catalog.ts'
import type { RowsWanted } from '../check/lower.ts'
import { lowerRows } from '../check/lower.ts'
import type { Cursor, CursorValue } from '../cursor.ts'
import { storedColumnsOf } from '../path-of-row.ts'
import { rewrite } from '../rewrite/rewrite.ts'
import type { SortKey } from '../sort.ts'
import { jsonTextSql } from './json-value.ts'
import { sortKeySql } from './order.ts'
import { Parameters } from './parameters.ts'
import { rowsSql, scopeOf } from './rows.ts'

const sortKeyShape = rowShape({ sortKey: 'text' })

/** One hexadecimal text: the DuckDB sort key of a row with the values of a cursor. */
export function compileSortKey({ values }: Cursor, sort: readonly SortKey[]): Sql<RowOfShape<typeof sortKeyShape>> {
  const parameters = new Parameters()
  const scope = scopeOf('k', { projectId: '' }, parameters)
  const columns = values.map((value, index) => `${constantSql(value, parameters)} AS k${index}`)
  const keys = sort.map(({ field, direction }, index) => ({ field: standIn(field, `k${index}`), direction }))
  return {
    text: `SELECT hex(${sortKeySql(keys, scope)}) FROM (SELECT ${columns.join(', ')}) k`,
    values: parameters.values,
    shape: sortKeyShape,
  }
}

/** A field like another, whose value is in a column of its own. */
function standIn(field: Field, column: string): Field {
  switch (field.kind) {
    case 'column':
      return { ...field, column }
    case 'json':
      return { kind: 'json', column, path: [] }
    case 'absent':
      return field
    default:
      return { kind: 'column', column, type: field.type }
  }
}

function constantSql(value: CursorValue, parameters: Parameters): string {
  switch (value.type) {
    case 'json':
      return value.text === null ? 'NULL::VARCHAR' : `${parameters.bind(value.text)}::VARCHAR`
    case 'time':
      return value.micros === null ? 'NULL::TIMESTAMPTZ' : parameters.bind({ micros: value.micros })
    case 'texts':
      return value.texts === null ? 'NULL::VARCHAR[]' : parameters.bind({ texts: value.texts })
    default: {
      const type = { text: 'VARCHAR', integer: 'BIGINT', double: 'DOUBLE' }[value.type]
      return value.value === null ? `NULL::${type}` : `${parameters.bind(value.value)}::${type}`
    }
  }
}

/**
 * One row of the JSON texts of fields in the rows that are wanted.
 *
 * @param options.hasSpans whether attributes may be those of spans, in a column of their own
 */
export function compileJsonTexts(
  wanted: Omit<RowsWanted, 'columns'>,
  fields: readonly JsonField[],
  { hasSpans }: { readonly hasSpans: boolean },
): Sql {
  const parameters = new Parameters()
  const columns = [
    ...new Set(
      fields.flatMap((field) => [
        ...storedColumnsOf(field),
        ...(hasSpans && field.column === 'attributes' ? storedColumnsOf(ofSpan(field) ?? field) : []),
      ]),
    ),
  ]
  const rows = rowsSql(lowerRows({ ...wanted, where: rewrite(wanted.where), columns }), parameters)
  const scope = scopeOf('r', { projectId: wanted.projectId }, parameters)
  const texts = fields.map((field) => jsonTextSql(field, scope))
  return { text: `SELECT ${texts.join(', ')} FROM (${rows}) r`, values: parameters.values }
}
