import type { BenchRun } from '../bench-run.ts'
import type { Benchmark, Figure } from '../benchmark.ts'
import { percentile } from '../benchmark.ts'
import { storeOfCalls } from '../reads/call-read.ts'

const startsOfEach = 10

/** From the start of the process to the first response of `/health`. */
export const coldStart: Benchmark = {
  name: 'cold-start',
  description: `Process start to the first answered GET /health; ${startsOfEach} starts each. The process itself and its imports are part of it.`,
  run: async (bench) => [
    ...figuresOf('empty folder', await startTimes(bench, () => bench.newFolder('empty')), { max: 300 }),
    ...figuresOf('1,000,000 calls in Parquet', await startTimes(bench, await storeFolder(bench))),
  ],
}

async function storeFolder(bench: BenchRun): Promise<() => string> {
  const folder = await storeOfCalls(bench)
  return () => folder
}

async function startTimes(bench: BenchRun, folder: () => string): Promise<number[]> {
  const times: number[] = []
  for (let start = 0; start < bench.size(startsOfEach, 1); start++) {
    const data = folder()
    const startMs = performance.now()
    await using server = await bench.startServer(data)
    const answer = await fetch(`${server.url}/health`)
    if (!answer.ok) throw new Error(`Start a server: /health answered ${answer.status}`)
    times.push(performance.now() - startMs)
  }
  return times
}

const figuresOf = (variant: string, times: readonly number[], target?: Figure['target']): Figure[] => [
  { variant, measure: 'p50', value: percentile(times, 0.5), unit: 'ms', ...(target && { target }) },
  { variant, measure: 'slowest', value: Math.max(...times), unit: 'ms' },
]
