import type { BenchServer } from '../bench-server.ts'
import { type Benchmark, type Figure, percentile } from '../benchmark.ts'
import { copyOfLargeStore } from '../large/large-store.ts'
import { type LoadSample, sampleLoad } from './load-samples.ts'
import { ask, deleteOn, Latencies, readOn, tailOn } from './mixed-clients.ts'
import { PacedExports } from './paced-exports.ts'

const spansPerSecond = 5_000
const readers = 20
const tails = 3
/** The run is reported in this many parts of the same length. */
const parts = 6

/** Everything at once, for as long as wanted. */
export const mixedLoad: Benchmark = {
  name: 'mixed-load',
  description:
    `${spansPerSecond.toLocaleString('en-US')} spans of about 1 KB a second into a store of a million calls, ${readers} readers who ask a question and ` +
    `look at the answer for a second, ${tails} who follow the calls live, and 100 deletions every ten seconds, for five ` +
    'minutes (or `--minutes`). Latencies of exports count from the moment at which each was due. At the end, every span ' +
    'that was accepted and not deleted is counted.',
  isOnRequest: true,
  run: async (bench) => {
    const shape = { files: bench.size(8, 2), rowsPerFile: bench.size(131_072, 2_000), proseChars: 650 }
    const data = await copyOfLargeStore(bench, shape)
    const seconds = bench.size((bench.minutes ?? 5) * 60, 2)
    const server = await bench.startServer(data)
    try {
      const before = await countOf(server)
      const exports = new PacedExports(server, bench.size(spansPerSecond, 500))
      const latencies = new Latencies()
      const end = new AbortController()
      const clients = { latencies, spansBehind: bench.size(50_000, 0), isOver: () => end.signal.aborted }
      const sending = exports.run(seconds).finally(() => end.abort())
      const [samples, deleted, , events] = await Promise.all([
        sampleLoad(server, bench.size(2_000, 200), clients.isOver),
        deleteOn(server, exports, { everyMs: bench.size(10_000, 500), ...clients }),
        readOn(server, exports, { readers, ...clients }),
        Promise.all(Array.from({ length: tails }, () => tailOn(server, end.signal))),
        sending,
      ])
      const expected = before + exports.accepted - deleted
      const counted = await countOf(server)
      if (counted !== expected) throw new Error(`Count the calls: ${counted} instead of ${expected}`)
      return [
        ...latencyFigures('export of 250 spans', exports.latenciesMs),
        { variant: 'exports', measure: 'late at once, at most', value: exports.lateMax, unit: '' },
        { variant: 'exports', measure: 'refused and sent again', value: exports.refused, unit: '' },
        ...[...latencies.of].flatMap(([what, ms]) => latencyFigures(what, ms)),
        ...sampleFigures(samples, seconds),
        { variant: 'tails', measure: 'events each', value: Math.min(...events), unit: '' },
        { variant: 'store', measure: 'calls deleted', value: deleted, unit: '' },
        { variant: 'store', measure: 'calls at the end', value: counted, unit: '' },
      ]
    } finally {
      await server.stop()
      await bench.removeFolder(data)
    }
  },
}

async function countOf(server: BenchServer): Promise<number> {
  return JSON.parse((await ask(server, '/calls/query_stats', {})).text).count
}

const latencyFigures = (variant: string, latenciesMs: readonly number[]): Figure[] => [
  { variant, measure: 'p50', value: percentile(latenciesMs, 0.5), unit: 'ms' },
  { variant, measure: 'p99', value: percentile(latenciesMs, 0.99), unit: 'ms' },
  { variant, measure: 'longest', value: Math.max(...latenciesMs), unit: 'ms' },
]

/** The state of the server in each part of the run. */
function sampleFigures(samples: readonly LoadSample[], seconds: number): Figure[] {
  const figures: Figure[] = []
  for (let part = 0; part < parts; part++) {
    const inPart = samples.filter(
      ({ atSeconds }) => Math.min(parts - 1, Math.floor((atSeconds / seconds) * parts)) === part,
    )
    const [first, last] = [inPart[0], inPart.at(-1)]
    if (first === undefined || last === undefined) continue
    const variant = `part ${part + 1} of ${parts}`
    const most = (of: (sample: LoadSample) => number) => Math.max(...inPart.map(of))
    const mean = inPart.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0) / inPart.length
    const share = (last.cpuSeconds - first.cpuSeconds) / Math.max(0.001, last.atSeconds - first.atSeconds)
    figures.push(
      { variant, measure: 'memory, mean', value: mean / 1e6, unit: 'MB' },
      { variant, measure: 'memory, highest', value: most(({ memoryBytes }) => memoryBytes) / 1e6, unit: 'MB' },
      { variant, measure: 'processors in use', value: share, unit: '' },
      { variant, measure: 'queries waiting, at most', value: most(({ queriesWaiting }) => queriesWaiting), unit: '' },
      { variant, measure: 'rows in memory, at most', value: most(({ memtableRows }) => memtableRows), unit: '' },
      { variant, measure: 'oldest unflushed row, at most', value: most((one) => one.unflushedSeconds), unit: 's' },
      { variant, measure: 'data files, at most', value: most(({ files }) => files), unit: '' },
    )
  }
  return figures
}
