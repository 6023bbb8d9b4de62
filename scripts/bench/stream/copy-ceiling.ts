import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { callsTable } from '../../../src/engine/tables/calls-table.ts'
import { MiB } from '../../../src/lib/bytes.ts'
import { Database } from '../../../src/runtime/duck/database.ts'
import { Writer } from '../../../src/runtime/duck/writer.ts'
import { parquetFiles } from '../reads/parquet-files.ts'

/** Columns of the response; others are only needed for finding or deriving. */
const hidden: ReadonlySet<string> = new Set(['input_refs', 'output_refs', 'written_at', 'payload_bytes'])
const columns = callsTable.columns
  .filter(({ storedIn, name }) => storedIn !== 'wal' && !hidden.has(name))
  .map(({ name }) => `"${name}"`)

/** Seconds that DuckDB alone takes to write the calls as JSON lines in stream order. */
export interface CopySeconds {
  readonly fromParquet: number
  /** From an in-memory DuckDB table with the same rows. */
  readonly fromMemory: number
}

/**
 * `COPY (SELECT … ORDER BY …) TO '/dev/null' (FORMAT json)` over the Parquet files of a store. The
 * better of two runs counts: the server's files are in the page cache too.
 */
export async function copyCeiling(data: string, folder: string): Promise<CopySeconds> {
  await mkdir(folder, { recursive: true })
  const database = await Database.open({ memoryBytesMax: 1024 * MiB, temporaryFolder: path.join(folder, 'tmp') })
  const writer = new Writer(await database.connect())
  try {
    const files = await parquetFiles(data)
    const fromParquet = await copySeconds(writer, files)
    await writer.execute(`CREATE TABLE calls AS FROM ${files}`)
    return { fromParquet, fromMemory: await copySeconds(writer, 'calls') }
  } finally {
    writer.close()
    database.close()
  }
}

async function copySeconds(writer: Writer, source: string): Promise<number> {
  const runs: number[] = []
  for (let run = 0; run < 2; run++) {
    const startMs = performance.now()
    await writer.execute(
      `COPY (SELECT ${columns.join(', ')} FROM ${source} ORDER BY project_id, started_at, id) TO '/dev/null' (FORMAT json)`,
    )
    runs.push((performance.now() - startMs) / 1000)
  }
  return Math.min(...runs)
}
