import { Database } from './database.ts'

/**
 * The rows of a CSV or Parquet file as objects, read in chunks. All values of CSV are texts.
 *
 * @throws Error if the file is damaged
 */
export async function* readFileRows(
  file: string,
  format: 'csv' | 'parquet',
  options: { readonly memoryBytesMax: number; readonly temporaryFolder: string },
): AsyncGenerator<Record<string, unknown>> {
  const database = await Database.open(options)
  const quoted = `'${file.replaceAll("'", "''")}'`
  const source = format === 'csv' ? `read_csv(${quoted}, header = true, all_varchar = true)` : `read_parquet(${quoted})`
  try {
    for await (const { names, rows } of database.query(`SELECT * FROM ${source}`)) {
      for (const row of rows) yield Object.fromEntries(names.map((name, index) => [name, row[index]]))
    }
  } finally {
    database.close()
  }
}
