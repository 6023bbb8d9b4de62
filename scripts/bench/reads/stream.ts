import { mkdir, readdir } from 'node:fs/promises'
import path from 'node:path'
import { callsTable } from '../../../src/engine/tables/calls-table.ts'
import { MiB } from '../../../src/lib/bytes.ts'
import { Database } from '../../../src/runtime/duck/database.ts'
import { Writer } from '../../../src/runtime/duck/writer.ts'
import type { BenchRun } from '../bench-run.ts'
import type { Benchmark, Figure } from '../benchmark.ts'
import { type Answer, Connection } from '../http/connection.ts'
import { postRequest, sendAll, type Target } from '../http/requests.ts'
import { project, upsertBatches } from '../payload/calls.ts'
import { storedShape } from './call-read.ts'

const runsOfEach = 3

/** 100,000 whole calls as JSON lines, once from memory and once from Parquet. */
export const stream: Benchmark = {
  name: 'stream',
  description:
    'POST /calls/stream_query without a limit, all columns, read as fast as it comes; the best of 3. Ceiling: DuckDB’s own ' +
    'COPY … TO /dev/null (FORMAT json) of the same rows in the same order.',
  run: async (bench) => {
    const calls = bench.size(100_000, 1_000)
    const data = bench.newFolder('stream')
    bench.note(`streaming ${calls} calls while they are hot`)
    const hot = await streamHot(bench, data, calls)
    bench.note('streaming them from Parquet')
    const cold = await streamAgain(bench, data)
    bench.note('measuring the ceiling')
    const seconds = await copyCeiling(data, bench.newFolder('ceiling'))
    return [
      ...figuresOf('all hot', hot, calls, seconds.fromMemory),
      ...figuresOf('all in Parquet', cold, calls, seconds.fromParquet),
    ]
  },
}

async function streamHot(bench: BenchRun, data: string, calls: number): Promise<Answer> {
  await using server = await bench.startServer(data)
  const batches = upsertBatches(0, calls, storedShape, { callsPerBatch: 500, endsLater: 0 })
  const requests = Array.from(batches, ({ body }) => postRequest(server, '/call/upsert_batch', body))
  await sendAll(server.url, requests, 4)
  return await bestStream(server)
}

async function streamAgain(bench: BenchRun, data: string): Promise<Answer> {
  await using server = await bench.startServer(data)
  return await bestStream(server)
}

async function bestStream(server: Target): Promise<Answer> {
  const answers: Answer[] = []
  for (let run = 0; run < runsOfEach; run++) {
    using connection = await Connection.open(server.url)
    const body = JSON.stringify({ project_id: project })
    answers.push(await connection.exchange(postRequest(server, '/calls/stream_query', body)))
  }
  return answers.reduce((best, answer) => (answer.totalMs < best.totalMs ? answer : best))
}

function figuresOf(
  variant: string,
  { totalMs, firstByteMs, bodyBytes }: Answer,
  calls: number,
  ceiling: number,
): Figure[] {
  const seconds = totalMs / 1000
  return [
    {
      variant,
      measure: 'calls',
      value: calls / seconds,
      unit: 'calls/s',
      ceiling: calls / ceiling,
      target: { ratioMin: 0.6 },
    },
    { variant, measure: 'body', value: bodyBytes / 1e6 / seconds, unit: 'MB/s' },
    { variant, measure: 'first byte', value: firstByteMs, unit: 'ms' },
  ]
}

/** Columns of the response; others are only needed for finding or deriving. */
const hidden: ReadonlySet<string> = new Set(['input_refs', 'output_refs', 'written_at', 'payload_bytes'])
const columns = callsTable.columns
  .filter(({ storedIn, name }) => storedIn !== 'wal' && !hidden.has(name))
  .map(({ name }) => `"${name}"`)

/** Seconds that DuckDB alone takes to write the calls as JSON lines in stream order. */
interface CopySeconds {
  readonly fromParquet: number
  /** From an in-memory DuckDB table with the same rows. */
  readonly fromMemory: number
}

/**
 * `COPY (SELECT … ORDER BY …) TO '/dev/null' (FORMAT json)` over the Parquet files of a store. The
 * better of two runs counts: the server's files are in the page cache too.
 */
async function copyCeiling(data: string, folder: string): Promise<CopySeconds> {
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

/**
 * The Parquet files of a table in the data folder of a stopped server, as a FROM item of DuckDB.
 */
async function parquetFiles(data: string, table = 'calls'): Promise<string> {
  const folder = path.join(data, 'tables', table)
  // Names begin with the creation time, and rows are in order of time: newest first.
  const names = (await readdir(folder))
    .filter((name) => name.endsWith('.parquet'))
    .toSorted()
    .toReversed()
  return `read_parquet([${names.map((name) => `'${path.join(folder, name)}'`).join(', ')}])`
}
