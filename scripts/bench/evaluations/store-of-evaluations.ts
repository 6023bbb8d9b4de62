import type { BenchRun } from '../bench-run.ts'
import { sendAll } from '../http/load.ts'
import { postRequest, type Target } from '../http/requests.ts'
import { callsPerTrial, type EvaluationSize, evaluationCalls, project } from './evaluation-calls.ts'

const callsPerRequest = 1_000

/**
 * Fills a data folder with evaluations over HTTP and stops the server, so that everything is in
 * Parquet.
 */
export async function buildStoreOfEvaluations(bench: BenchRun, size: EvaluationSize): Promise<string> {
  const data = bench.newFolder('evaluations')
  bench.note(`filling a store with ${size.evaluations * (size.rows * callsPerTrial + 1)} calls over HTTP`)
  await using server = await bench.startServer(data)
  const load = await sendAll(server.url, requests(server, size), 2)
  bench.note(`filled in ${load.seconds.toFixed(0)} s`)
  return data
}

/** Generated while they are sent: more than a million calls need not fit in memory. */
function* requests(target: Target, size: EvaluationSize): Generator<Uint8Array> {
  let batch: object[] = []
  const take = () => {
    const request = postRequest(target, `/v2/${project}/calls/complete`, JSON.stringify({ batch }))
    batch = []
    return request
  }
  for (let evaluation = 0; evaluation < size.evaluations; evaluation++) {
    for (const call of evaluationCalls(evaluation, size)) {
      batch.push(call)
      if (batch.length === callsPerRequest) yield take()
    }
  }
  if (batch.length > 0) yield take()
}
