import { storageLimits } from '../../lib/limits/storage.ts'
import type { Column, Table } from '../../lib/table.ts'
import { textLiteral } from '../../runtime/duck/column-types.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import { entriesSql, type ValueCounts, type ValueIndexContents } from './value-index-format.ts'

/** A data file of this store. */
export interface IndexedFile {
  readonly rows: number
  /** Columns that hold the JSON text at a path, by `columnPath`. */
  readonly pathColumns: ReadonlyMap<string, string>
  /** Columns that it lacks. */
  readonly missing: readonly Pick<Column, 'name'>[]
}

/** Whether a file is so large that finding rows in it takes noticeable time. */
export const needsValueIndex = ({ located = [] }: Table, rows: number): boolean =>
  located.length > 0 && rows >= storageLimits.valueIndexRowsMin

/** The value index of a data file. The same file always has the same. */
export async function computeValueIndex(
  writer: Writer,
  table: Table,
  { rows, pathColumns, missing }: IndexedFile,
  parquet: string,
): Promise<ValueIndexContents> {
  const isPresent = (column: string) => missing.every(({ name }) => name !== column)
  const [counted, located] = [(table.counted ?? []).filter(isPresent), (table.located ?? []).filter(isPresent)]
  const blocks = { rows, blockRows: storageLimits.valueIndexBlockRows }
  const source = `read_parquet(${textLiteral(parquet)}, file_row_number = true)`
  const { counts, tooMany } = await countsOf(
    writer,
    table,
    [...counted, ...[...new Set(pathColumns.values())].sort()],
    source,
  )
  const varied = [...tooMany].filter(([column]) => !counted.includes(column))
  const entries = new Map<string, Uint32Array>()
  // A value that few rows have rules out the most.
  const paths = varied.toSorted(([, m], [, n]) => m - n).slice(0, storageLimits.pathsLocatedMax)
  for (const column of [...located, ...paths.map(([name]) => name)])
    entries.set(column, await writer.integers(entriesSql(column, source, blocks)))
  return { ...blocks, entries, counts }
}

interface FoundCounts {
  readonly counts: ReadonlyMap<string, ValueCounts>
  /** How many values each of the other columns has. */
  readonly tooMany: ReadonlyMap<string, number>
}

/** The counts of the values of columns, unless they are too many. The file is read once. */
async function countsOf(
  writer: Writer,
  table: Table,
  columns: readonly string[],
  source: string,
): Promise<FoundCounts> {
  const counts = new Map<string, ValueCounts>()
  const tooMany = new Map<string, number>()
  if (columns.length === 0) return { counts, tooMany }
  const rows = await writer.readLong(
    { place: 'integer', name: 'text?', value: 'text?', calls: 'integer' },
    countsSql(table, columns, source),
  )
  const byPlace = Map.groupBy(rows, ({ place }) => place)
  for (const [place, column] of columns.entries()) {
    // There are none if no row is visible.
    const some = byPlace.get(place) ?? []
    const [first] = some
    if (first?.name === null) tooMany.set(column, first.calls)
    else counts.set(column, valueCounts(some))
  }
  return { counts, tooMany }
}

const valueCounts = (
  rows: readonly { readonly name: string | null; readonly value: string | null; readonly calls: number }[],
): ValueCounts =>
  [...Map.groupBy(rows, ({ name }) => name ?? '')].map(
    ([name, some]) => [name, some.map(({ value, calls }) => [value, calls] as const)] as const,
  )

/**
 * SELECT of the place of a column, a project, a value and how many rows have it; without a project,
 * how many values the column has. A column that no row of a set is grouped by is null in it.
 */
function countsSql({ key: [project], presenceColumn }: Table, columns: readonly string[], source: string): string {
  const list = columns.map((column) => `"${column}"`).join(', ')
  const sets = columns.map((column) => `("${project}", "${column}")`).join(', ')
  // A column is a bit of `grouping`, the last one the lowest, which is set unless it groups a row.
  const placeOf = columns.map((_, place) => {
    const others = 2 ** columns.length - 1 - 2 ** (columns.length - 1 - place)
    return `WHEN ${others} THEN ${place}`
  })
  return `WITH grouped AS (
      SELECT "${project}" AS project, ${list}, grouping(${list}) AS others, count(*) AS calls FROM ${source}
      WHERE "${presenceColumn}" IS NOT NULL GROUP BY GROUPING SETS (${sets})
    ), counted AS MATERIALIZED (
      SELECT CASE others ${placeOf.join(' ')} END AS place, project, coalesce(${list}) AS value, calls FROM grouped
    ), sizes AS (
      SELECT place, count(*) AS values, count(*) <= ${storageLimits.valuesCountedMax}
        AND coalesce(sum(strlen(value)), 0) <= ${storageLimits.valuesCountedBytesMax} AS fits
      FROM counted GROUP BY place
    )
    SELECT sizes.place, project, value, CASE WHEN fits THEN calls ELSE values END
    FROM sizes LEFT JOIN counted ON fits AND counted.place = sizes.place ORDER BY sizes.place, project, value`
}
