import type { Relation } from '../../../lib/relation.ts'
import type { Sql } from '../../../lib/sql.ts'
import { type RowOfShape, rowShape } from '../../../lib/typed-rows.ts'
import type { SortKey } from '../../../query/sort.ts'
import { orderSql, pageSql } from '../../../query/sql/order.ts'
import { Parameters } from '../../../query/sql/parameters.ts'
import { scopeOf } from '../../../query/sql/rows.ts'
import { tableRowsSql } from '../../../query/sql/table-rows.ts'

/** The chunks and the rows of a project's tables. */
export interface TableSources {
  readonly projectId: string
  readonly chunks: Relation
  readonly rows: Relation
}

/** A table: its chunks, and the position of the first row of each. */
export interface TableSpan {
  readonly chunks: readonly string[]
  readonly starts: readonly number[]
}

const placedRowShape = rowShape({ row: 'text', position: 'integer' })

/** A row as one text, digest and JSON, and its position in the table. */
export type PlacedRow = RowOfShape<typeof placedRowShape>

/**
 * The rows of a table in order: digest and JSON as one text, and the position, which breaks ties.
 * Rows without a key come last in either direction, and numbers before text. Digests without a row
 * are left out.
 */
export function compileSortedRows(
  sources: TableSources,
  span: TableSpan,
  request: { sort: readonly SortKey[]; rowDigests: readonly string[]; limit: number | undefined; offset: number },
): Sql<PlacedRow> {
  const parameters = new Parameters()
  const { sort, rowDigests } = request
  const positions = positionsSql(sources, span, parameters)
  const rows = rowsSql(sources, ['t.digest', 't.val'], parameters)
  const order = sort.length === 0 ? [] : [orderSql(sort, scopeOf('r', sources, parameters))]
  const wanted =
    rowDigests.length === 0 ? '' : `WHERE p.digest IN (SELECT unnest(${parameters.bind({ texts: rowDigests })}))`
  const page = pageSql(request, parameters)
  return {
    text: `SELECT r.digest || r.val, p.position FROM (${positions}) p JOIN (${rows}) r ON r.digest = p.digest ${wanted}
      ORDER BY ${[...order, 'p.position'].join(', ')}${page}`,
    values: parameters.values,
    shape: placedRowShape,
  }
}

const bytesShape = rowShape({ bytes: 'integer' })

/** Bytes of a table's rows as JSON, counted once per position. */
export function compileTableBytes(sources: TableSources, span: TableSpan): Sql<RowOfShape<typeof bytesShape>> {
  const parameters = new Parameters()
  const positions = positionsSql(sources, span, parameters)
  const rows = rowsSql(sources, ['t.digest', 't.size_bytes'], parameters)
  return {
    text: `SELECT coalesce(sum(r.size_bytes), 0)::BIGINT FROM (${positions}) p JOIN (${rows}) r ON r.digest = p.digest`,
    values: parameters.values,
    shape: bytesShape,
  }
}

const positionShape = rowShape({ digest: 'text', position: 'integer' })

/** A row of a table and its 0-based position. */
export type RowPosition = RowOfShape<typeof positionShape>

/** Where those of the `rowDigests` that the table contains stand in it. */
export function compilePositions(
  sources: TableSources,
  span: TableSpan,
  rowDigests: readonly string[],
): Sql<RowPosition> {
  const parameters = new Parameters()
  const positions = positionsSql(sources, span, parameters)
  return {
    text: `SELECT p.digest, p.position FROM (${positions}) p WHERE p.digest IN (SELECT
      unnest(${parameters.bind({ texts: rowDigests })})) ORDER BY p.position`,
    values: parameters.values,
    shape: positionShape,
  }
}

const digestShape = rowShape({ digest: 'text' })

/** Rows whose JSON contains a text. Reads all rows of the project. */
export function compileMentioning(
  rows: { readonly relation: Relation; readonly projectId: string },
  text: string,
  limit: number,
): Sql<RowOfShape<typeof digestShape>> {
  const parameters = new Parameters()
  const found = tableRowsSql(rows, ['t.digest'], [`contains(t.val, ${parameters.bind(text)})`], parameters)
  return {
    text: `SELECT DISTINCT digest FROM (${found})${pageSql({ limit, offset: 0 }, parameters)}`,
    values: parameters.values,
    shape: digestShape,
  }
}

/** `digest` and `position` of every row of the table. */
function positionsSql({ projectId, chunks }: TableSources, span: TableSpan, parameters: Parameters): string {
  const stored = tableRowsSql(
    { relation: chunks, projectId },
    ['t.digest', 't.row_digests'],
    [`t.digest IN (SELECT unnest(${parameters.bind({ texts: span.chunks })}))`],
    parameters,
  )
  const starts = `SELECT unnest(${parameters.bind({ texts: span.chunks })}) AS chunk,
    unnest(${parameters.bind({ texts: span.starts.map(String) })})::BIGINT AS start`
  return `SELECT unnest(c.row_digests) AS digest, s.start + generate_subscripts(c.row_digests, 1) - 1 AS position
    FROM (${starts}) s JOIN (${stored}) c ON c.digest = s.chunk`
}

const rowsSql = ({ projectId, rows }: TableSources, items: readonly string[], parameters: Parameters): string =>
  tableRowsSql({ relation: rows, projectId }, items, [], parameters)
