import { storageLimits } from '../../lib/limits/storage.ts'
import type { Table } from '../../lib/table.ts'
import type { Writer } from '../../runtime/duck/writer.ts'

/** DuckDB's vector size. Row groups cannot be smaller. */
const vectorRows = 2048

/**
 * How the rows of a file are split into row groups: equal sizes, or variable ones where some rows
 * are wide.
 */
export type RowGroupPlan =
  | { readonly kind: 'uniform'; readonly rows: number }
  | { readonly kind: 'variable'; readonly lengths: readonly number[] }

/** Rows to be written, the bytes of their JSON text, and their row groups. */
export interface PlannedRows {
  readonly rows: number
  readonly bytes: number
  readonly groups: RowGroupPlan
}

/**
 * Plans the row groups for the rows of `source`. To read a row, half a row group is decompressed on
 * average, and a JSON predicate needs several times its size in memory, so wide rows get smaller
 * groups. See docs/decisions/060-row-groups-of-wide-rows.md and
 * docs/decisions/274-smaller-groups-of-wide-rows.md.
 */
export async function planRowGroups(writer: Writer, table: Table, source: string, rows: number): Promise<PlannedRows> {
  const width = textWidth(table)
  if (width === undefined) return { rows, bytes: 0, groups: { kind: 'uniform', rows: storageLimits.rowGroupRowsMax } }
  const order = table.order.map((name) => `t."${name}"`).join(', ')
  const sizes = await writer.readOne(
    { bytes: 'number?', widest: 'number?' },
    `SELECT sum(${width})::DOUBLE, max(${width})::DOUBLE FROM ${source}`,
  )
  const bytes = sizes.bytes ?? 0
  const uniform = (length: number): PlannedRows => ({ rows, bytes, groups: { kind: 'uniform', rows: length } })
  const groupBytes = Math.max(
    table.rowGroupBytes ?? storageLimits.rowGroupBytes,
    bytes / storageLimits.rowGroupsPerFileMax,
  )
  const equalBytes = table.rowGroupBytes === undefined ? 2 * groupBytes : groupBytes
  const fitting =
    (bytes / rows) * storageLimits.rowGroupRowsMax <= equalBytes ? storageLimits.rowGroupRowsMax : vectorRows
  if ((sizes.widest ?? 0) * vectorRows <= 2 * groupBytes) return uniform(fitting)
  // The lengths alone: the window sorts its input, and would copy the texts.
  const widths = `(SELECT ${width} AS width, ${order} FROM ${source}) t`
  const { most } = await writer.readOne(
    { most: 'number' },
    `SELECT max(bytes)::DOUBLE FROM (
       SELECT sum(width) AS bytes FROM (
         SELECT width, (row_number() OVER (ORDER BY ${order}) - 1) // ${vectorRows} AS part FROM ${widths}
       ) GROUP BY part
     )`,
  )
  if (most <= 2 * groupBytes) return uniform(fitting)
  const stretches = await writer.read(
    { length: 'integer' },
    `SELECT count(*) FROM (
       SELECT sum(width) OVER w // ${Math.ceil(groupBytes)} AS piece, (row_number() OVER w - 1) //
         ${vectorRows} AS part
       FROM ${widths} WINDOW w AS (ORDER BY ${order} ROWS UNBOUNDED PRECEDING)
     ) GROUP BY piece, part ORDER BY part, piece`,
  )
  return { rows, bytes, groups: { kind: 'variable', lengths: stretches.map(({ length }) => length) } }
}

/**
 * SQL for the bytes in the row `t` that count: of JSON text, and of lists if the table states the
 * size of its row groups; undefined if there are none.
 */
export function textWidth(table: Table): string | undefined {
  const stored = table.columns.filter(({ storedIn }) => storedIn !== 'wal')
  const widths = stored.flatMap(({ name, type }) => {
    if (type === 'json') return `coalesce(strlen(t."${name}"), 0)`
    if (type !== 'texts' || table.rowGroupBytes === undefined) return []
    return `coalesce(strlen(array_to_string(t."${name}", ',')), 0)`
  })
  return widths.length === 0 ? undefined : widths.join(' + ')
}

/** A SELECT of the rows in order, and the ROW_GROUP_SIZE to request. */
export function sortedRowsSql(
  { columns, source, order }: { columns: string; source: string; order: string },
  groups: RowGroupPlan,
): { select: string; rowGroupSize: number } {
  const select = `SELECT ${columns} FROM ${source} ORDER BY ${order}`
  if (groups.kind === 'uniform') return { select, rowGroupSize: groups.rows }
  let offset = 0
  const stretches = groups.lengths.map((rows, index) => {
    // A slice that begins with rows equal to the last of the one before has these, too.
    const limit = index < groups.lengths.length - 1 ? `LIMIT ${rows} ` : ''
    const stretch = `(SELECT * FROM sorted ${limit}OFFSET ${offset})`
    offset += rows
    return stretch
  })
  // DuckDB ends a vector at the end of each UNION ALL branch, and a row group with the first vector
  // that reaches the requested size. A size above the smallest branch would merge some branches,
  // out of order.
  return {
    select: `WITH sorted AS MATERIALIZED (${select}) ${stretches.join(' UNION ALL ')}`,
    rowGroupSize: Math.min(...groups.lengths),
  }
}

/**
 * The same rows, which DuckDB then writes in one thread, with less processor time: an empty `range`
 * has no batches, by which threads could put their rows in order.
 */
export const sequentialSql = (table: Table, select: string): string =>
  `(${select}) UNION ALL BY NAME SELECT NULL AS "${table.key[0]}" FROM range(0)`
