import { storageLimits } from '../../lib/limits/storage.ts'
import type { Table } from '../../lib/table.ts'
import { textLiteral } from '../../runtime/duck/column-types.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import type { PlannedRows, RowGroupPlan } from './row-groups.ts'

/** Consecutive rows of a file that are sorted and written by a statement of their own. */
export interface SortedSlice {
  /** A FROM clause, named `t`. */
  readonly source: string
  readonly groups: RowGroupPlan
}

/** The table's sort order as one value that compares like it, NULLs included. */
export const sortKey = (table: Table): string =>
  `create_sort_key(${table.order.map((name) => `t."${name}", 'ASC NULLS LAST'`).join(', ')})`

/**
 * Divides the rows of `source` into slices of about `sortedBytesMax` of JSON text: to sort rows,
 * DuckDB copies them, which takes several times their size. Every row is in exactly one slice. See
 * docs/decisions/282-sorting-in-slices.md.
 */
export async function sortedSlices(
  writer: Writer,
  table: Table,
  source: string,
  planned: PlannedRows,
): Promise<SortedSlice[]> {
  const slices = sliceRowGroups(planned)
  if (slices.length < 2) return [{ source, groups: planned.groups }]
  let before = 0
  const cases = slices.slice(0, -1).map(({ rows }, index) => {
    before += rows
    return `WHEN n < ${before} THEN ${index}`
  })
  const timed = table.columns.find(({ name, type }) => type === 'time' && table.order.includes(name))?.name
  const time = timed === undefined ? 'NULL' : `t."${timed}"`
  const bounds = await writer.read(
    { key: 'text', earliest: 'text?', latest: 'text?' },
    `SELECT hex(min(key)), CASE WHEN count(*) = count(time) THEN min(time)::VARCHAR END, max(time)::VARCHAR FROM (
       SELECT key, time, CASE ${cases.join(' ')} ELSE ${slices.length - 1} END AS slice FROM (
         SELECT key, time, row_number() OVER (ORDER BY key) - 1 AS n FROM (
           SELECT ${sortKey(table)} AS key, ${time} AS time FROM ${source}
         )
       )
     ) GROUP BY slice ORDER BY slice`,
  )
  return bounds.map(({ key, earliest, latest }, index) => {
    const next = bounds[index + 1]
    const conditions = [`${sortKey(table)} >= from_hex('${key}')`]
    if (next !== undefined) conditions.push(`${sortKey(table)} < from_hex('${next.key}')`)
    // Times are compared faster than keys, and files have bounds of them.
    if (timed !== undefined && earliest !== null && latest !== null)
      conditions.push(`t."${timed}" BETWEEN ${textLiteral(earliest)} AND ${textLiteral(latest)}`)
    return {
      source: `(SELECT t.* FROM ${source}) t WHERE ${conditions.join(' AND ')}`,
      groups: slices[index]?.groups ?? planned.groups,
    }
  })
}

/** How many rows each slice has, so that none ends within a row group. */
export function sliceRowGroups({ rows, bytes, groups }: PlannedRows): { rows: number; groups: RowGroupPlan }[] {
  const groupsOf = (count: number) => Math.max(1, Math.floor((storageLimits.sortedBytesMax * count) / bytes))
  if (bytes <= storageLimits.sortedBytesMax) return [{ rows, groups }]
  if (groups.kind === 'uniform') {
    const length = groupsOf(rows / groups.rows) * groups.rows
    return Array.from({ length: Math.ceil(rows / length) }, (_, index) => ({
      rows: Math.min(length, rows - index * length),
      groups,
    }))
  }
  const { lengths } = groups
  const together = groupsOf(lengths.length)
  return Array.from({ length: Math.ceil(lengths.length / together) }, (_, index) => {
    const some = lengths.slice(index * together, (index + 1) * together)
    return { rows: some.reduce((sum, length) => sum + length, 0), groups: { kind: 'variable', lengths: some } }
  })
}
