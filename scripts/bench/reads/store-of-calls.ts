import type { BenchRun } from '../bench-run.ts'
import { sendAll } from '../http/load.ts'
import { postRequest, type Target } from '../http/requests.ts'
import { upsertBatches } from '../payload/batches.ts'
import type { CallShape } from '../payload/calls.ts'

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
