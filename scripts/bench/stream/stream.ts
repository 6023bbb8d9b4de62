import type { BenchRun } from '../bench-run.ts'
import type { Benchmark, Figure } from '../benchmark.ts'
import { type Answer, Connection } from '../http/connection.ts'
import { sendAll } from '../http/load.ts'
import { postRequest, type Target } from '../http/requests.ts'
import { upsertBatches } from '../payload/batches.ts'
import { project } from '../payload/calls.ts'
import { storedShape } from '../reads/store-of-calls.ts'
import { copyCeiling } from './copy-ceiling.ts'

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
