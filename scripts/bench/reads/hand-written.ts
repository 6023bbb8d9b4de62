import { DuckDBInstance } from '@duckdb/node-api'

/**
 * Times of a hand-written statement over the same files in a separate DuckDB; the first three runs
 * are warm-up.
 */
export async function handWrittenMs(sql: string, values: readonly string[], runs: number): Promise<number[]> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  try {
    await connection.run("SET TimeZone = 'UTC'; SET parquet_metadata_cache = true")
    const times: number[] = []
    for (let run = -3; run < runs; run++) {
      const startMs = performance.now()
      await connection.runAndReadAll(sql, [...values])
      if (run >= 0) times.push(performance.now() - startMs)
    }
    return times
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

/** The single number returned by a statement. */
export async function numberOf(sql: string): Promise<number> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  try {
    return Number((await connection.runAndReadAll(sql)).getRows()[0]?.[0])
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}
