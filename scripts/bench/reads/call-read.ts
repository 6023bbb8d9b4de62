import { SeededRandom } from '../../../src/demo/traces/seeded-random.ts'
import type { BenchRun } from '../bench-run.ts'
import type { Benchmark, Figure } from '../benchmark.ts'
import { percentile } from '../benchmark.ts'
import { postRequest, sendAll, type Target } from '../http/requests.ts'
import type { CallShape } from '../payload/calls.ts'
import { callId, project, upsertBatches } from '../payload/calls.ts'

/** Single calls by id from a store with a million of them in Parquet. */
export const callRead: Benchmark = {
  name: 'call-read',
  description:
    'POST /call/read of random ids, from a store of 1,000,000 calls in one project, filled over HTTP, all in Parquet. Missing ids are ' +
    'of the same times as existing ones, so bounds do not rule them out. The first reads after a start are told apart from those that follow.',
  run: async (bench) => {
    const reads = bench.size(600, 50)
    await using server = await bench.startServer(await storeOfCalls(bench))
    const fresh = [...readRequests(server, bench.storedCalls, reads, { salt: 0, seed: 1 })]
    bench.note(`reading ${reads} ids from a server that has just started`)
    const first = await sendAll(server.url, fresh, 1)
    // From here on files are open and code is compiled, as in a server that has been running for a
    // while.
    const figures: Figure[] = [0.5, 0.99].map((share) => ({
      variant: 'existing ids, 1 connection, just started',
      measure: `p${share * 100}`,
      value: percentile(first.latenciesMs, share),
      unit: 'ms',
    }))
    for (const connections of [1, 4]) {
      for (const { what, salt } of [
        { what: 'existing', salt: 0 },
        { what: 'missing', salt: 99 },
      ]) {
        bench.note(`reading ${reads} ${what} ids over ${connections} connections`)
        const requests = [...readRequests(server, bench.storedCalls, reads, { salt, seed: connections + 1 })]
        const before = await server.stats()
        const { latenciesMs, seconds } = await sendAll(server.url, requests, connections)
        const cpuSeconds = (await server.stats()).cpuSeconds - before.cpuSeconds
        const variant = `${what} ids, ${connections} connection${connections === 1 ? '' : 's'}`
        figures.push(
          { variant, measure: 'p50', value: percentile(latenciesMs, 0.5), unit: 'ms' },
          { variant, measure: 'p99', value: percentile(latenciesMs, 0.99), unit: 'ms', target: { max: 10 } },
          { variant, measure: 'reads', value: reads / seconds, unit: '/s' },
          { variant, measure: 'server CPU for a read', value: (cpuSeconds / reads) * 1e6, unit: 'µs' },
        )
      }
    }
    return figures
  },
}

function* readRequests(
  target: Target,
  storedCalls: number,
  count: number,
  { salt, seed }: { salt: number; seed: number },
): Generator<Uint8Array> {
  const random = new SeededRandom(seed)
  for (let read = 0; read < count; read++) {
    const id = callId(random.integer(0, storedCalls - 1), salt)
    yield postRequest(target, '/call/read', JSON.stringify({ project_id: project, id }))
  }
}

const batching = { callsPerBatch: 500, endsLater: 0 }
export const storedShape: CallShape = { bytes: 1000, numbers: 'short' }

const stores = new WeakMap<BenchRun, Promise<string>>()

/**
 * A data folder with `storedCalls` calls of about 1 KB, all in Parquet. All benchmarks of a run
 * share it: do not modify it.
 */
export function storeOfCalls(bench: BenchRun): Promise<string> {
  const store = stores.get(bench) ?? buildStoreOfCalls(bench)
  stores.set(bench, store)
  return store
}

/**
 * Fills a data folder over HTTP, so that it has the files the product would create, and stops the
 * server, so that everything is in Parquet.
 */
async function buildStoreOfCalls(bench: BenchRun): Promise<string> {
  const data = bench.newFolder('store')
  bench.note(`filling a store with ${bench.storedCalls} calls over HTTP`)
  await using server = await bench.startServer(data)
  const load = await sendAll(server.url, storedRequests(server, bench.storedCalls), 2)
  bench.note(`filled in ${load.seconds.toFixed(0)} s`)
  return data
}

/** Generated while they are sent: a million calls need not fit in memory. */
function* storedRequests(target: Target, calls: number): Generator<Uint8Array> {
  for (const { body } of upsertBatches(0, calls, storedShape, batching)) {
    yield postRequest(target, '/call/upsert_batch', body)
  }
}
