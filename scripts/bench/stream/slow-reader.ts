import type { BenchRun } from '../bench-run.ts'
import type { Benchmark } from '../benchmark.ts'
import { Connection } from '../http/connection.ts'
import { sendAll } from '../http/load.ts'
import { postRequest } from '../http/requests.ts'
import { upsertBatches } from '../payload/batches.ts'
import { project } from '../payload/calls.ts'
import { percentile } from '../percentile.ts'
import type { BenchServer } from '../server/bench-server.ts'

const callBytes = 20_000
const readerBytesPerSecond = 25e6
const writersBatch = { callsPerBatch: 5, endsLater: 0 }

/** Streams a gigabyte to a slow client while others write. */
export const slowReader: Benchmark = {
  name: 'slow-reader',
  description:
    'POST /calls/stream_query of 1 GB, read at 25 MB/s, while one connection writes calls of 20 KB, 5 a batch, 4 batches every half second. Memory is that of the ' +
    'server from the first second of the stream to its end; writers are timed before the stream and during it.',
  run: async (bench) => {
    const data = await fill(bench)
    await using server = await bench.startServer(data)
    const before = await write(server, bench.size(400, 2), 1)
    bench.note('streaming to a slow reader')
    const memory: number[] = []
    const during: number[] = []
    const reading = read(server)
    let isOver = false
    const over = reading.finally(() => {
      isOver = true
    })
    for (let round = 2; !isOver; round++) {
      during.push(...(await write(server, bench.size(4, 1), round)))
      memory.push((await server.stats()).rssBytes / 1e6)
      // A steady trickle, so that the writers' own memory does not hide that of the stream.
      await Bun.sleep(bench.size(500, 1))
    }
    const bytes = await over
    const settled = memory.slice(Math.min(memory.length - 1, 3))
    return [
      { variant: 'slow reader', measure: 'read', value: bytes / 1e6, unit: 'MB' },
      { variant: 'slow reader', measure: 'memory, least', value: Math.min(...settled), unit: 'MB' },
      { variant: 'slow reader', measure: 'memory, most', value: Math.max(...settled), unit: 'MB' },
      {
        variant: 'slow reader',
        measure: 'memory, largest distance from its mean',
        value: distanceFromMean(settled),
        unit: 'MB',
        target: { max: 150 },
      },
      { variant: 'writers before', measure: 'p99', value: percentile(before, 0.99), unit: 'ms' },
      { variant: 'writers during', measure: 'p99', value: percentile(during, 0.99), unit: 'ms' },
    ]
  },
}

async function fill(bench: BenchRun): Promise<string> {
  const data = bench.newFolder('slow-reader')
  const calls = bench.size(52_000, 50)
  bench.note(`filling a store with ${calls} calls of ${callBytes} bytes`)
  await using server = await bench.startServer(data)
  const batches = upsertBatches(0, calls, { bytes: callBytes, numbers: 'short' }, { callsPerBatch: 50, endsLater: 0 })
  function* requests(): Generator<Uint8Array> {
    for (const { body } of batches) yield postRequest(server, '/call/upsert_batch', body)
  }
  await sendAll(server.url, requests(), 2)
  return data
}

async function write(server: BenchServer, batches: number, round: number): Promise<number[]> {
  const from = 1_000_000 * round
  const bodies = upsertBatches(
    from,
    from + batches * writersBatch.callsPerBatch,
    { bytes: callBytes, numbers: 'short' },
    writersBatch,
  )
  const requests = Array.from(bodies, ({ body }) => postRequest(server, '/call/upsert_batch', body))
  return (await sendAll(server.url, requests, 1)).latenciesMs
}

async function read(server: BenchServer): Promise<number> {
  using connection = await Connection.open(server.url)
  const request = postRequest(server, '/calls/stream_query', JSON.stringify({ project_id: project }))
  return (await connection.exchange(request, { bytesPerSecondMax: readerBytesPerSecond })).bodyBytes
}

function distanceFromMean(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return Math.max(...values.map((value) => Math.abs(value - mean)))
}
