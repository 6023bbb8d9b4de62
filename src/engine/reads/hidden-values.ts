import { valueAt } from '../../lib/present.ts'
import type { Sql, SqlValue } from '../../lib/sql.ts'
import { rowShape } from '../../lib/typed-rows.ts'
import type { DataFile } from '../data-files/data-file.ts'
import type { PinnedTable } from '../table/pinned-table.ts'
import { columnIn } from '../value-index/value-indexes.ts'

/** Rows by value, null for those without one. */
type Counts = ReadonlyMap<string | null, number>

interface HiddenValuesRequest {
  readonly projectId: string
  /** A column, or `columnPath`, that the files have. */
  readonly column: string
  /** Files of this store. */
  readonly dataFiles: readonly DataFile[]
}

/** Runs a statement that sees the masks of the memtables. */
export type RunStatement = <R>(sql: Sql<R>) => Promise<R[]>

/**
 * How many of the rows that memtables hide in some files have each value of a column: what the
 * value indexes of the files count too much. Reads two columns of the files; the result is kept
 * until other rows are hidden.
 */
export async function hiddenValues(pinned: PinnedTable, request: HiddenValuesRequest, run: RunStatement) {
  const { hidden } = pinned
  const { projectId, column, dataFiles } = request
  const key = JSON.stringify([projectId, column, hidden.id, dataFiles.map(({ fileName }) => fileName)])
  const known = hidden.counts.get(key)
  if (known !== undefined) return known
  const found = await run(statement(pinned, request))
  const counts: Counts = new Map(found.map(({ value, calls }) => [value, calls]))
  hidden.counts.set(key, counts)
  return counts
}

function statement({ table, layout, hidden }: PinnedTable, { projectId, column, dataFiles }: HiddenValuesRequest) {
  const { key, presenceColumn } = table
  const [project, id] = key
  const ids = hidden.maskNames.map((mask) => `SELECT "${id}" FROM "${mask}" WHERE "${project}" = $1`).join(' UNION ')
  const values: SqlValue[] = [projectId]
  // Files may hold a path in different columns.
  const byColumn = Map.groupBy(dataFiles, (dataFile) => columnIn(dataFile, column) ?? '')
  const selects = [...byColumn.keys()].map((name) => {
    const paths = valueAt(byColumn, name).map(({ fileName }) => layout.parquet(fileName))
    values.push({ files: paths })
    return `SELECT "${name}" AS value FROM read_parquet($${values.length})
      WHERE "${project}" = $1 AND "${presenceColumn}" IS NOT NULL AND "${id}" IN (FROM hidden)`
  })
  return {
    text: `WITH hidden AS MATERIALIZED (${ids})
      SELECT value, count(*) FROM (${selects.join(' UNION ALL ')}) GROUP BY value`,
    values,
    shape: rowShape({ value: 'text?', calls: 'integer' }),
  }
}
