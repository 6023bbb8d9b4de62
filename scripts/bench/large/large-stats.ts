import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { findSections } from '../../../src/engine/index-file/index-file.ts'
import type { Benchmark, Figure } from '../benchmark.ts'
import { percentile } from '../benchmark.ts'
import { postRequest, sendAll, type Target } from '../http/requests.ts'
import { project } from '../payload/calls.ts'
import { copyOfLargeStore, firstMicros } from './large-store.ts'

const rowsPerFile = 131_072
const dayMicros = 86_400_000_000
const sums = (...metrics: string[]) => metrics.map((metric) => ({ metric, aggregations: ['sum'] }))
const traffic = [{ metric: 'latency_ms', aggregations: ['avg'] }, { metric: 'error_count' }]
const latency = [
  { metric: 'latency_ms', percentiles: [50, 95, 99], aggregations: ['count'] },
  ...sums('call_count', 'error_count'),
]
const usage = sums('input_tokens', 'output_tokens', 'cache_read_input_tokens', 'total_cost')

/** Statistics of a year, by name. */
function statistics(days: number): Record<string, object> {
  const span = (from: number, to: number) => ({
    start: new Date((firstMicros + from * dayMicros) / 1000).toISOString(),
    end: new Date((firstMicros + to * dayMicros) / 1000).toISOString(),
  })
  const year = { ...span(0, days), granularity: 86_400 }
  const month = span(Math.max(0, days - 30.3), days)
  const roots = { filter: { trace_roots_only: true } }
  return {
    'a year by day': { ...year, call_metrics: traffic },
    'a year by day, Berlin': { ...year, timezone: 'Europe/Berlin', call_metrics: traffic },
    '30 days by day': { ...month, granularity: 86_400, call_metrics: traffic },
    '30 days by hour': { ...month, granularity: 3_600, call_metrics: traffic },
    'tokens and cost of a year by model by day': { ...year, usage_metrics: usage },
    'calls of a year by op by day': { ...year, group_by: 'op_name', call_metrics: sums('call_count') },
    'percentiles of roots of a year by day': { ...year, ...roots, call_metrics: latency },
    'percentiles of a year by day': { ...year, call_metrics: latency },
  }
}

/** Latency and processor time of statistics about millions of calls of a year. */
export const largeStats: Benchmark = {
  name: 'large-stats',
  description:
    'Statistics of a year with 10 million short calls (or `--calls`), one connection, and the size of the rollups. The store is kept ' +
    'in the temporary folder for later runs.',
  run: async (bench) => {
    const days = 365
    const shape = bench.isTiny
      ? { files: 2, rowsPerFile: 2_000, proseChars: 20, days }
      : { files: Math.ceil((bench.largeCalls ?? 10_000_000) / rowsPerFile), rowsPerFile, proseChars: 20, days }
    const data = await copyOfLargeStore(bench, shape)
    const bytes = await rollupBytes(data)
    bench.note(`${(bytes / 1e6).toFixed(1)} MB of rollups`)
    const figures: Figure[] = [{ variant: 'rollups', measure: 'size', value: bytes / 1e6, unit: 'MB' }]
    {
      await using server = await bench.startServer(data)
      const asked = { 'count of all': { path: '/calls/query_stats', body: {} } }
      const questions = Object.entries(statistics(days)).map(
        ([name, body]) => [name, { path: '/calls/stats', body }] as const,
      )
      for (const [variant, { path: to, body }] of [...Object.entries(asked), ...questions]) {
        const request = () => postRequest(server, to, JSON.stringify({ project_id: project, ...body }))
        await sendAll(server.url, [request()], 1)
        // Rollups are loaded after the first question that could use them.
        while (to === '/calls/stats' && !bench.isTiny && !(await readsSumsAlone(server, body))) await Bun.sleep(500)
        const warming = await sendAll(server.url, [request(), request()], 1)
        const times = bench.size(Math.max(5, Math.min(100, Math.floor(2 / warming.seconds))), 1)
        const before = (await server.stats()).cpuSeconds
        const { latenciesMs } = await sendAll(server.url, Array.from({ length: times }, request), 1)
        const cpuMs = (((await server.stats()).cpuSeconds - before) / times) * 1000
        const value = percentile(latenciesMs, 0.5)
        bench.note(`${variant}: ${value.toFixed(1)} ms, ${cpuMs.toFixed(1)} ms of processor time, ${times} times`)
        figures.push(
          { variant, measure: 'p50', value, unit: 'ms' },
          { variant, measure: 'processor time', value: cpuMs, unit: 'ms' },
        )
      }
      const { rssBytes } = await server.stats()
      bench.note(`${(rssBytes / 1e6).toFixed(0)} MB of memory`)
      figures.push({ variant: 'server', measure: 'memory', value: rssBytes / 1e6, unit: 'MB' })
    }
    await bench.removeFolder(data)
    return figures
  },
}

/** Whether the answer to a question of whole days is from rollups alone. */
async function readsSumsAlone({ url, key }: Target, body: object): Promise<boolean> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', prefer: 'explain' }
  const question = JSON.stringify({ project_id: project, ...body })
  const response = await fetch(`${url}/calls/stats`, { method: 'POST', headers, body: question })
  await response.arrayBuffer()
  // The ends of the range may be parts of an hour.
  const [, read = '0', summed = '0'] =
    /files;desc="(\d+) of \d+", sums;desc="(\d+)"/.exec(response.headers.get('server-timing') ?? '') ?? []
  return Number(summed) > 0 && Number(read) <= 4
}

async function rollupBytes(data: string): Promise<number> {
  const folder = path.join(data, 'tables/calls/_filters')
  let bytes = 0
  for (const name of await readdir(folder)) {
    const rollup = (await findSections(path.join(folder, name)))?.get('rollup')
    if (rollup !== undefined) bytes += rollup.bytes + rollup.ending
  }
  return bytes
}
