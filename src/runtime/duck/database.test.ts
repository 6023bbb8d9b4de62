import { expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { MiB } from '../../lib/bytes.ts'
import { Database } from './database.ts'

test('keeps nothing of the data files that it has read', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tracelake-database-'))
  const database = await Database.open({ memoryBytesMax: 256 * MiB, temporaryFolder: folder })
  const connection = await database.connect()
  try {
    const file = path.join(folder, 'rows.parquet')
    await connection.run(`COPY (SELECT i, md5(i::VARCHAR) AS t FROM range(100000) r(i)) TO '${file}' (FORMAT parquet)`)
    await connection.run(`CREATE TABLE found AS SELECT count(DISTINCT t) FROM '${file}'`)
    const kept = await connection.runAndReadAll(
      "SELECT sum(memory_usage_bytes)::DOUBLE FROM duckdb_memory() WHERE tag = 'EXTERNAL_FILE_CACHE'",
    )
    expect(kept.getRows()).toEqual([[0]])
  } finally {
    connection.closeSync()
    database.close()
    await rm(folder, { recursive: true })
  }
})
