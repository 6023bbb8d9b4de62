import { storageLimits } from '../../lib/limits/storage.ts'
import type { Column, Table } from '../../lib/table.ts'
import { textLiteral } from '../../runtime/duck/column-types.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import { writeFileDurably } from '../../runtime/platform/files/durable-files.ts'
import { bytesOfValueIndex, entriesSql, type ValueCounts, type ValueIndexContents } from './value-index-format.ts'

/** A data file of this store. */
export interface IndexedFile {
  readonly rows: number
  /** Columns that hold the JSON text at a path, by `columnPath`. */
  readonly pathColumns: ReadonlyMap<string, string>
  /** Columns that it lacks. */
  readonly missing: readonly Pick<Column, 'name'>[]
}

/** The file as it is read, and the path of its index. */
interface Places {
  readonly parquet: string
  readonly path: string
}

/** Whether a file is so large that finding rows in it takes noticeable time. */
export const needsValueIndex = ({ located = [] }: Table, rows: number): boolean =>
  located.length > 0 && rows >= storageLimits.valueIndexRowsMin

/** Writes the value index of a data file, if it needs one. */
export async function writeValueIndex(
  writer: Writer,
  table: Table,
  file: IndexedFile,
  { parquet, path }: Places,
): Promise<void> {
  if (!needsValueIndex(table, file.rows)) return
  await writeFileDurably(path, bytesOfValueIndex(await computeValueIndex(writer, table, file, parquet)))
}

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
  const counts = new Map<string, ValueCounts>()
  const varied: [column: string, values: number][] = []
  for (const column of [...counted, ...[...new Set(pathColumns.values())].sort()]) {
    const found = await countsOf(writer, table, column, source)
    if (typeof found !== 'number') counts.set(column, found)
    else if (!counted.includes(column)) varied.push([column, found])
  }
  const entries = new Map<string, Uint32Array>()
  // A value that few rows have rules out the most.
  const paths = varied.toSorted(([, m], [, n]) => m - n).slice(0, storageLimits.pathsLocatedMax)
  for (const column of [...located, ...paths.map(([name]) => name)])
    entries.set(column, await writer.integers(entriesSql(column, source, blocks)))
  return { ...blocks, entries, counts }
}

/** The counts of a column's values, or how many values it has if they are too many. */
async function countsOf(writer: Writer, table: Table, column: string, source: string): Promise<ValueCounts | number> {
  const [project] = table.key
  const grouped = `SELECT "${project}" AS project, "${column}" AS value, count(*) AS calls FROM ${source}
    WHERE "${table.presenceColumn}" IS NOT NULL GROUP BY ALL`
  const rows = await writer.readLong(
    { name: 'text?', value: 'text?', calls: 'integer?' },
    `WITH counted AS MATERIALIZED (${grouped}),
      size AS (SELECT count(*) AS values, coalesce(sum(strlen(value)), 0) AS bytes FROM counted)
    SELECT CASE WHEN fits THEN project END, value, CASE WHEN fits THEN calls ELSE values END FROM (
      SELECT values,
        values <= ${storageLimits.valuesCountedMax} AND bytes <= ${storageLimits.valuesCountedBytesMax} AS fits
      FROM size
    ) LEFT JOIN counted ON fits ORDER BY project, value`,
  )
  const [first] = rows
  // No row is visible.
  if (first === undefined || first.calls === null) return []
  if (first.name === null) return first.calls
  return [...Map.groupBy(rows, ({ name }) => name ?? '')].map(
    ([name, some]) => [name, some.map(({ value, calls }) => [value, calls ?? 0] as const)] as const,
  )
}
