import { DuckDBInstance } from '@duckdb/node-api'

/** Times of a statement that a person would write over the same files, in a DuckDB of its own; the first three runs do not count. */
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

/** The single number that a statement answers. */
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
