import { type DuckDBConnection, DuckDBListValue } from '@duckdb/node-api'
import { itemAt } from '../../lib/present.ts'
import { toBindings } from './parameters.ts'

/** Cost of a statement. */
export interface StatementCost {
  readonly ms: number
  /** Files, row groups and bytes that were read; footers are no row groups. */
  readonly files: number
  readonly rowGroups: number
  readonly bytes: number
}

const reads = `SELECT path, pos AS first, pos + bytes AS after FROM duckdb_logs_parsed('FileSystem')
  WHERE op = 'READ' AND path IN (SELECT unnest($1::VARCHAR[]))`

/** DuckDB's profiler counts no bytes that its threads read, and counts skipped rows as read. */
const readsSql = `WITH reads AS (${reads})
  SELECT count(DISTINCT path)::DOUBLE, coalesce(sum(after - first), 0)::DOUBLE, list(DISTINCT path) FROM reads`

const groupsSql = `WITH reads AS (${reads}), groups AS (
    SELECT file_name, row_group_id, max(start + total_compressed_size) AS after, min(start) AS first
    FROM (SELECT *, least(nullif(dictionary_page_offset, 0), data_page_offset) AS start FROM parquet_metadata($1))
    GROUP BY ALL)
  SELECT count(*)::DOUBLE FROM groups WHERE EXISTS (
    SELECT 1 FROM reads WHERE path = file_name AND reads.first < groups.after AND reads.after > groups.first)`

/** Logs what is read of files from now on, by all connections of the database. */
export const logReads = async (connection: DuckDBConnection): Promise<void> => {
  await connection.run("CALL enable_logging('FileSystem')")
}

/** Amount read from some Parquet files since then. */
export async function loggedReads(
  connection: DuckDBConnection,
  paths: readonly string[],
): Promise<Omit<StatementCost, 'ms'>> {
  await connection.run('CALL disable_logging()')
  const [files, bytes, read] = await firstRow(connection, readsSql, paths)
  const names = read instanceof DuckDBListValue ? read.items.map(String) : []
  const [rowGroups] = names.length === 0 ? [0] : await firstRow(connection, groupsSql, names)
  return { files: Number(files), rowGroups: Number(rowGroups), bytes: Number(bytes) }
}

async function firstRow(connection: DuckDBConnection, sql: string, paths: readonly string[]) {
  const { values, types } = toBindings([{ files: paths }])
  return itemAt((await connection.runAndReadAll(sql, values, types)).getRows(), 0)
}
