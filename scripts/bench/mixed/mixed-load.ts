import type { BenchRun } from '../bench-run.ts'
import type { BenchServer } from '../bench-server.ts'
import type { Benchmark, Figure } from '../benchmark.ts'
import { copyOfLargeStore } from '../large/large-store.ts'
import { Latencies, latencyLine } from './latencies.ts'
import { sampleFigures, sampleLoad, summaryLine } from './load-samples.ts'
import { ask, deleteOn, readOn, tailOn } from './mixed-clients.ts'
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
    'that was accepted and not deleted is counted. A line on standard error says each minute how the load goes. With ' +
    '--before FOLDER another checkout runs first.',
  isOnRequest: true,
  run: async (bench) => {
    const figures: Figure[] = []
    if (bench.checkoutBefore !== undefined) {
      bench.note('the version before')
      for (const figure of await run(bench, bench.checkoutBefore))
        figures.push({ ...figure, variant: `before: ${figure.variant}` })
      bench.note('this version')
    }
    return [...figures, ...(await run(bench))]
  },
}

async function run(bench: BenchRun, checkout?: string): Promise<Figure[]> {
  const shape = { files: bench.size(8, 2), rowsPerFile: bench.size(131_072, 2_000), proseChars: 650 }
  const data = await copyOfLargeStore(bench, shape)
  const seconds = bench.size((bench.minutes ?? 5) * 60, 2)
  const server = await bench.startServer(data, checkout)
  try {
    const before = await countOf(server)
    const latencies = new Latencies()
    const exports = new PacedExports(server, latencies, bench.size(spansPerSecond, 500))
    const end = new AbortController()
    const clients = { latencies, spansBehind: bench.size(50_000, 0), isOver: () => end.signal.aborted }
    let minuteStartMs = performance.now()
    const sampling = {
      everyMs: bench.size(2_000, 200),
      isOver: clients.isOver,
      exportsLate: () => exports.late,
      eachMinute: (samples: Parameters<typeof summaryLine>[0]) => {
        bench.note(`minute ${Math.round((samples.at(-1)?.atSeconds ?? 0) / 60)}: ${summaryLine(samples)}`)
        bench.note(`  ms at p50/p99/longest: ${latencyLine(latencies.since(minuteStartMs))}`)
        minuteStartMs = performance.now()
      },
    }
    const sending = exports.run(seconds).finally(() => end.abort())
    const [samples, deleted, , events] = await Promise.all([
      sampleLoad(server, sampling),
      deleteOn(server, exports, { everyMs: bench.size(10_000, 500), ...clients }),
      readOn(server, exports, { readers, ...clients }),
      Promise.all(Array.from({ length: tails }, () => tailOn(server, end.signal))),
      sending,
    ])
    const expected = before + exports.accepted - deleted
    const counted = await countOf(server)
    if (counted !== expected) throw new Error(`Count the calls: ${counted} instead of ${expected}`)
    return [
      ...latencies.figures,
      { variant: 'exports', measure: 'late at once, at most', value: exports.lateMax, unit: '' },
      { variant: 'exports', measure: 'refused and sent again', value: exports.refused, unit: '' },
      ...sampleFigures(samples, seconds, parts),
      { variant: 'tails', measure: 'events each', value: Math.min(...events), unit: '' },
      { variant: 'store', measure: 'calls deleted', value: deleted, unit: '' },
      { variant: 'store', measure: 'calls at the end', value: counted, unit: '' },
    ]
  } finally {
    await server.stop()
    await bench.removeFolder(data)
  }
}

async function countOf(server: BenchServer): Promise<number> {
  return JSON.parse((await ask(server, '/calls/query_stats', {})).text).count
}
