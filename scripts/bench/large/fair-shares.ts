import type { Benchmark } from '../benchmark.ts'
import { postRequest, sendAll, type Target } from '../http/requests.ts'
import { project } from '../payload/calls.ts'
import { copyOfLargeStore } from './large-store.ts'
import { latencyFigures, SteadyClients } from './steady-clients.ts'

const rowsPerFile = 131_072
const scanners = 4

/** What pages and writes take while others read a whole project again and again. */
export const fairShares: Benchmark = {
  name: 'fair-shares',
  description:
    'Reads the newest page and writes 20 calls at a time in a store of 2 million calls of about 1.1 KB (or `--calls`): alone, and while ' +
    'four connections scan the project all the time. The store is kept in the temporary folder for later runs.',
  run: async (bench) => {
    const files = bench.isTiny ? 2 : Math.ceil((bench.largeCalls ?? 2_000_000) / rowsPerFile)
    const shape = { files, rowsPerFile: bench.size(rowsPerFile, 500), proseChars: 650 }
    const data = await copyOfLargeStore(bench, shape)
    await using server = await bench.startServer(data)
    const clients = new SteadyClients(server)
    const alone = await clients.during(Bun.sleep(bench.size(20_000, 100)))
    const scanning = scanFor(server, bench.size(30_000, 100))
    const beside = await clients.during(scanning)
    const { scans, seconds } = await scanning
    await server.stop()
    await bench.removeFolder(data)
    return [
      ...latencyFigures('alone', alone),
      ...latencyFigures('beside four scans', beside),
      { variant: 'beside four scans', measure: 'scans', value: scans / seconds, unit: '/s' },
    ]
  },
}

/** Scans on four connections, which no index answers, until the time is over. */
async function scanFor(target: Target, ms: number): Promise<{ scans: number; seconds: number }> {
  const untilMs = performance.now() + ms
  const { latenciesMs, seconds } = await sendAll(target.url, scansUntil(target, untilMs), scanners)
  return { scans: latenciesMs.length, seconds }
}

function* scansUntil(target: Target, untilMs: number): Generator<Uint8Array> {
  for (let scan = 0; scan < scanners || performance.now() < untilMs; scan++) {
    const seed = { $convert: { input: { $getField: 'inputs.options.seed' }, to: 'int' } }
    const query = { $expr: { $gt: [seed, { $literal: scan }] } }
    yield postRequest(target, '/calls/query_stats', JSON.stringify({ project_id: project, query }))
  }
}
