import { SeededRandom } from '../../../src/demo/traces/seeded-random.ts'
import type { BenchRun } from '../bench-run.ts'
import type { Benchmark } from '../benchmark.ts'
import { percentile } from '../benchmark.ts'
import { postRequest, sendAll, type Target } from '../http/requests.ts'
import { type CallShape, callId, project, startedMs, upsertBatches } from '../payload/calls.ts'
import { wordSalad } from '../payload/word-salad.ts'

const shape: CallShape = { bytes: 1_000, numbers: 'short' }
const entriesPerBatch = 1_000
/** Digests of two versions of the scorer. */
const versions = ['sYp0Qm3kT', 'vK7cLr2hD']

/** What the page of feedback asks of the server. */
export const feedbackPage: Benchmark = {
  name: 'feedback-page',
  description:
    'POST /feedback/distributions over 100,000 calls, each scored once by one of two versions of a scorer: a number, a verdict and a ' +
    'remark of about 150 characters. One connection; in Parquet, after a restart.',
  run: async (bench) => {
    const calls = bench.size(100_000, 200)
    const data = await storeOfScores(bench, calls)
    await using server = await bench.startServer(data)
    const body = {
      project_id: project,
      start: new Date(startedMs(0)).toISOString(),
      end: new Date(startedMs(calls)).toISOString(),
      granularity: 60,
      timezone: 'UTC',
    }
    const request = postRequest(server, '/feedback/distributions', JSON.stringify(body))
    const first = await sendAll(server.url, [request], 1)
    const before = await server.stats()
    const times = bench.size(9, 1)
    const { latenciesMs } = await sendAll(
      server.url,
      Array.from({ length: times }, () => request),
      1,
    )
    const used = (await server.stats()).cpuSeconds - before.cpuSeconds
    const variant = `distributions of ${calls} scores`
    return [
      { variant, measure: 'first time after a start', value: percentile(first.latenciesMs, 0.5), unit: 'ms' },
      { variant, measure: 'p50', value: percentile(latenciesMs, 0.5), unit: 'ms' },
      { variant, measure: 'processor time', value: (used * 1_000) / times, unit: 'ms', target: { max: 1_000 } },
    ]
  },
}

/** A data folder with scored calls, flushed. */
async function storeOfScores(bench: BenchRun, calls: number): Promise<string> {
  const data = bench.newFolder('scores')
  await using server = await bench.startServer(data)
  bench.note(`storing ${calls} calls and their scores`)
  await sendAll(server.url, callRequests(server, calls), 2)
  await sendAll(server.url, scoreRequests(server, calls), 2)
  return data
}

function* callRequests(target: Target, calls: number): Generator<Uint8Array> {
  for (const { body } of upsertBatches(0, calls, shape, { callsPerBatch: 500, endsLater: 0 }))
    yield postRequest(target, '/call/upsert_batch', body)
}

function* scoreRequests(target: Target, calls: number): Generator<Uint8Array> {
  const random = new SeededRandom(2)
  for (let first = 0; first < calls; first += entriesPerBatch) {
    const count = Math.min(entriesPerBatch, calls - first)
    const batch = Array.from({ length: count }, (_, index) => ({
      project_id: project,
      ext_ref: `ext:///${project}/call/${callId(first + index)}`,
      feedback_type: 'ext.runnable.helpful',
      runnable_ref: `ext:///${project}/object/helpful:${versions[first + index < calls / 2 ? 0 : 1]}`,
      payload: {
        output: {
          score: Math.round(random.fraction() * 1_000) / 1_000,
          passed: random.chance(0.8),
          remark: wordSalad(random, 150),
        },
      },
    }))
    yield postRequest(target, '/feedback/batch/create', JSON.stringify({ batch }))
  }
}
