import { readdir } from 'node:fs/promises'
import path from 'node:path'

/**
 * The Parquet files of a table in the data folder of a stopped server, as a FROM item of DuckDB.
 */
export async function parquetFiles(data: string, table = 'calls'): Promise<string> {
  const folder = path.join(data, 'tables', table)
  // Names begin with the creation time, and rows are in order of time: newest first.
  const names = (await readdir(folder))
    .filter((name) => name.endsWith('.parquet'))
    .toSorted()
    .toReversed()
  return `read_parquet([${names.map((name) => `'${path.join(folder, name)}'`).join(', ')}])`
}
