import path from 'node:path'
import { SeededRandom } from '../../../src/demo/traces/seeded-random.ts'
import { parseJsonExactly } from '../../../src/formats/wire/json-body.ts'
import { MiB } from '../../../src/lib/bytes.ts'
import { requestLimits } from '../../../src/lib/limits/requests.ts'
import { digestOfJson } from '../../../src/runtime/digest.ts'
import { Database } from '../../../src/runtime/duck/database.ts'
import { Writer } from '../../../src/runtime/duck/writer.ts'
import type { BenchRun } from '../bench-run.ts'
import type { Benchmark, Figure } from '../benchmark.ts'
import { type Answer, Connection } from '../http/connection.ts'
import { postRequest } from '../http/requests.ts'
import { wordSalad } from '../payload/word-salad.ts'
import { percentile } from '../percentile.ts'
import { parquetFiles } from '../reads/parquet-files.ts'
import type { BenchServer } from '../server/bench-server.ts'

const projectId = 'bench/tables'
const rowChars = 500
const pageRows = 100

/** Sends a dataset in parts, then pages, sorts and streams it. */
export const tableOfRows: Benchmark = {
  name: 'table',
  description:
    `A table of 100,000 rows of ${rowChars} characters: created with 2,000 rows and grown by 2,000 a request, one after the other; pages of ${pageRows} ` +
    'at random places; streamed whole. Ceiling of making it: the same bodies parsed and digested in one process, nothing stored. Ceiling of streaming: DuckDB’s ' +
    'COPY … TO /dev/null (FORMAT json) of the rows in their order.',
  run: async (bench) => {
    const rows = bench.size(100_000, 300)
    const batches = rowBatches(rows, bench.size(2_000, 100))
    const data = bench.newFolder('table')
    bench.note(`making a table of ${rows} rows`)
    const made = await make(bench, data, batches)
    bench.note('reading it from Parquet')
    await using server = await bench.startServer(data)
    return [
      {
        variant: 'making it',
        measure: 'rows',
        value: rows / made.seconds,
        unit: 'rows/s',
        ceiling: rows / digestSeconds(batches),
      },
      ...(await reading('hot', made.answers, rows)),
      ...(await reading(
        'in Parquet',
        await ask(bench, server, made.digest, rows),
        rows,
        await copySeconds(data, bench.newFolder('ceiling')),
      )),
    ]
  },
}

interface Answers {
  readonly pagesMs: readonly number[]
  readonly sortedMs: number
  readonly stream: Answer
}

async function make(bench: BenchRun, data: string, batches: readonly (readonly string[])[]) {
  await using server = await bench.startServer(data)
  const post = async (tail: string, body: string): Promise<string> => {
    const answer = await fetch(`${server.url}/table/${tail}`, { method: 'POST', headers: headersOf(server), body })
    if (!answer.ok) throw new Error(`Make a table: ${answer.status} ${await answer.text()}`)
    return ((await answer.json()) as { digest: string }).digest
  }
  const startMs = performance.now()
  let digest = await post('create', `{"table":{"project_id":"${projectId}","rows":[${batches[0]!.join(',')}]}}`)
  for (const rows of batches.slice(1)) {
    const updates = rows.map((row) => `{"append":{"row":${row}}}`).join(',')
    digest = await post('update', `{"project_id":"${projectId}","base_digest":"${digest}","updates":[${updates}]}`)
  }
  const seconds = (performance.now() - startMs) / 1000
  return { digest, seconds, answers: await ask(bench, server, digest, batches.flat().length) }
}

async function ask(bench: BenchRun, server: BenchServer, digest: string, rows: number): Promise<Answers> {
  using connection = await Connection.open(server.url)
  const question = (path: string, more: Record<string, unknown>) =>
    connection.exchange(postRequest(server, path, JSON.stringify({ project_id: projectId, digest, ...more })))
  const random = new SeededRandom(1)
  const pagesMs: number[] = []
  for (let page = 0; page < bench.size(50, 2); page++) {
    const offset = Math.floor(random.fraction() * Math.max(1, rows - pageRows))
    pagesMs.push((await question('/table/query', { limit: pageRows, offset })).totalMs)
  }
  const sorted = await question('/table/query', { limit: pageRows, sort_by: [{ field: 'rank', direction: 'desc' }] })
  const streams: Answer[] = []
  for (let run = 0; run < 3; run++) streams.push(await question('/table/query_stream', {}))
  const stream = streams.reduce((best, answer) => (answer.totalMs < best.totalMs ? answer : best))
  return { pagesMs, sortedMs: sorted.totalMs, stream }
}

function reading(variant: string, { pagesMs, sortedMs, stream }: Answers, rows: number, ceiling?: number): Figure[] {
  const seconds = stream.totalMs / 1000
  return [
    { variant, measure: `page of ${pageRows}, p50`, value: percentile(pagesMs, 0.5), unit: 'ms' },
    { variant, measure: `page of ${pageRows}, p99`, value: percentile(pagesMs, 0.99), unit: 'ms' },
    { variant, measure: `first ${pageRows} by a field`, value: sortedMs, unit: 'ms' },
    {
      variant,
      measure: 'streamed',
      value: rows / seconds,
      unit: 'rows/s',
      ...(ceiling !== undefined && { ceiling: rows / ceiling }),
    },
    { variant, measure: 'streamed', value: stream.bodyBytes / 1e6 / seconds, unit: 'MB/s' },
  ]
}

const headersOf = ({ key }: BenchServer) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' })

/** Rows as JSON texts, one list per request. */
function rowBatches(rows: number, perBatch: number): string[][] {
  const random = new SeededRandom(7)
  return Array.from({ length: Math.ceil(rows / perBatch) }, (_, batch) =>
    Array.from({ length: Math.min(perBatch, rows - batch * perBatch) }, (_, at) =>
      JSON.stringify({
        n: batch * perBatch + at,
        rank: Math.floor(random.fraction() * 1e6),
        input: { text: wordSalad(random, rowChars) },
      }),
    ),
  )
}

function digestSeconds(batches: readonly (readonly string[])[]): number {
  const startMs = performance.now()
  for (const batch of batches) {
    const { rows } = parseJsonExactly(`{"rows":[${batch.join(',')}]}`, requestLimits.jsonDepthMax) as {
      rows: unknown[]
    }
    for (const row of rows) digestOfJson(row)
  }
  return (performance.now() - startMs) / 1000
}

async function copySeconds(data: string, folder: string): Promise<number> {
  const database = await Database.open({ memoryBytesMax: 1024 * MiB, temporaryFolder: path.join(folder, 'tmp') })
  const writer = new Writer(await database.connect())
  try {
    const files = await parquetFiles(data, 'table_rows')
    const startMs = performance.now()
    await writer.execute(`COPY (SELECT digest, val, seq FROM ${files} ORDER BY seq) TO '/dev/null' (FORMAT json)`)
    return (performance.now() - startMs) / 1000
  } finally {
    writer.close()
    database.close()
  }
}
