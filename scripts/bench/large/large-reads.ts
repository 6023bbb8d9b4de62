import type { BenchRun } from '../bench-run.ts'
import type { Benchmark, Figure } from '../benchmark.ts'
import { sendAll } from '../http/load.ts'
import { postRequest } from '../http/requests.ts'
import { project } from '../payload/calls.ts'
import { percentile } from '../percentile.ts'
import { largeQuestions } from './large-questions.ts'
import { copyOfLargeStore } from './large-store.ts'

const asked = 'Pages, single calls, conditions on paths, words and lists in a store of'
const kept = 'every other id random, one connection. The store is kept in the temporary folder for later runs.'

/** Latency and processor time of questions about a project with millions of calls. */
export const largeReads = readsOf({
  name: 'large-reads',
  description: `${asked} 10 million calls of about 1.1 KB (or \`--calls\`), ${kept}`,
  calls: 10_000_000,
  rowsPerFile: 131_072,
  proseChars: 650,
})

/** The same with calls of 20 KB, of which files hold fewer. */
export const largeReads20k = readsOf({
  name: 'large-reads-20k',
  description: `${asked} 500,000 calls of about 20 KB (or \`--calls\`), ${kept}`,
  calls: 500_000,
  rowsPerFile: 8_192,
  proseChars: 19_500,
})

interface StoreOfCalls {
  readonly name: string
  readonly description: string
  /** Unless the command line says otherwise. */
  readonly calls: number
  readonly rowsPerFile: number
  readonly proseChars: number
}

function readsOf({ name, description, calls, rowsPerFile, proseChars }: StoreOfCalls): Benchmark {
  const run = async (bench: BenchRun): Promise<Figure[]> => {
    const shape = bench.isTiny
      ? { files: 2, rowsPerFile: 500, proseChars }
      : { files: Math.ceil((bench.largeCalls ?? calls) / rowsPerFile), rowsPerFile, proseChars }
    const data = await copyOfLargeStore(bench, shape)
    const figures: Figure[] = []
    {
      await using server = await bench.startServer(data)
      for (const [variant, { path, body }] of Object.entries(largeQuestions(shape.files * shape.rowsPerFile))) {
        const request = (time: number) =>
          postRequest(server, path, JSON.stringify({ project_id: project, ...body(time) }))
        const warming = await sendAll(server.url, [request(0), request(1)], 1)
        // About two seconds each.
        const times = bench.size(Math.max(5, Math.min(200, Math.floor(2 / warming.seconds))), 1)
        const before = (await server.stats()).cpuSeconds
        const { latenciesMs } = await sendAll(
          server.url,
          Array.from({ length: times }, (_, time) => request(time + 2)),
          1,
        )
        const cpuMs = (((await server.stats()).cpuSeconds - before) / times) * 1000
        const value = percentile(latenciesMs, 0.5)
        bench.note(`${variant}: ${value.toFixed(1)} ms, ${cpuMs.toFixed(1)} ms of processor time, ${times} times`)
        figures.push(
          { variant, measure: 'p50', value, unit: 'ms' },
          { variant, measure: 'processor time', value: cpuMs, unit: 'ms' },
        )
      }
    }
    await bench.removeFolder(data)
    return figures
  }
  return { name, description, run }
}
