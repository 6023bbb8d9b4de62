import type { BenchServer } from '../bench-server.ts'
import type { Benchmark, Figure } from '../benchmark.ts'
import { percentile } from '../benchmark.ts'
import { postRequest, sendAll } from '../http/requests.ts'
import { project } from '../payload/calls.ts'
import { SeenPage } from '../ui/seen-page.ts'
import { copyOfLargeStore, firstMicros } from './large-store.ts'

const rowsPerFile = 131_072
const days = 7
const dayMs = 86_400_000
/** Days that browsers show as one week. */
const span = { from: firstMicros / 1_000, to: firstMicros / 1_000 + days * dayMs }

const sum = (metric: string) => ({ metric, aggregations: ['sum'] })
const latency = (percentile: number) => ({
  call_metrics: [{ metric: 'latency_ms', percentiles: [percentile], aggregations: ['count'] }],
})
const calls = (...metrics: string[]) => ({ call_metrics: metrics.map(sum) })
const usage = (metric: string) => ({ usage_metrics: [sum(metric)] })
const by = (group_by: string) => ({ group_by, group_limit: 8 })

/** Cards as people have them, as they are stored and as they are asked for. */
const cards: readonly { readonly metric: string; readonly group: string; readonly asked: object }[] = [
  { metric: 'calls', group: 'op', asked: { ...calls('call_count'), ...by('op_name') } },
  { metric: 'error_rate', group: '', asked: calls('call_count', 'error_count') },
  { metric: 'p50', group: '', asked: latency(50) },
  { metric: 'p95', group: 'model', asked: { ...latency(95), ...by('model') } },
  { metric: 'p99', group: '', asked: latency(99) },
  { metric: 'cost', group: 'model', asked: usage('total_cost') },
  { metric: 'tokens_in', group: 'model', asked: usage('input_tokens') },
  { metric: 'errors', group: 'op', asked: { ...calls('call_count', 'error_count'), ...by('op_name') } },
]
/** A chart of a week has 42 bars of four hours. */
const stepSeconds = 14_400
const connections = 6

/** A dashboard over a week of a million calls: what its cards ask for, and when they are seen. */
export const dashboard: Benchmark = {
  name: 'dashboard',
  description:
    'A dashboard of 8 cards over a week of 1,000,000 calls: the requests of all cards at once, as browsers send them over six ' +
    'connections, and the page in Chromium from the navigation until the last card is painted. Medians of nine.',
  run: async (bench) => {
    const files = bench.isTiny ? 2 : Math.ceil(1_000_000 / rowsPerFile)
    const data = await copyOfLargeStore(bench, {
      files,
      rowsPerFile: bench.isTiny ? 2_000 : rowsPerFile,
      proseChars: 20,
      days,
    })
    const figures: Figure[] = []
    {
      await using server = await bench.startServer(data)
      const times = bench.size(9, 1)
      await untilSummed(server, bench.isTiny)
      const { ms, cpuMs } = await askAll(server, times)
      bench.note(`all cards: ${ms.toFixed(0)} ms, ${cpuMs.toFixed(0)} ms of processor time`)
      figures.push(
        { variant: 'requests of all cards', measure: 'p50', value: ms, unit: 'ms', target: { max: 500 } },
        { variant: 'requests of all cards', measure: 'processor time', value: cpuMs, unit: 'ms' },
      )
      await store(server)
      await using seen = await SeenPage.open(server)
      const path = `/ui/${project}/dashboards/bench?t=${new Date(span.from).toISOString()}..${new Date(span.to).toISOString()}`
      const all = `body:has([data-card=card-${cards.length - 1}]):not(:has([data-settled=false]))`
      await seen.goTo(path, all)
      const seenMs: number[] = []
      for (let time = 0; time < times; time++) seenMs.push(await seen.goTo(path, all))
      figures.push({
        variant: 'page',
        measure: 'all cards painted',
        value: percentile(seenMs, 0.5),
        unit: 'ms',
        target: { max: 500 },
      })
    }
    await bench.removeFolder(data)
    return figures
  },
}

const bodies = () =>
  cards.map(({ asked }) =>
    JSON.stringify({
      project_id: project,
      start: new Date(span.from).toISOString(),
      end: new Date(span.to).toISOString(),
      granularity: stepSeconds,
      timezone: 'UTC',
      totals: true,
      ...asked,
    }),
  )

/** Sends the requests of all cards at once. @returns medians of the time until the last answer */
async function askAll(server: BenchServer, times: number): Promise<{ ms: number; cpuMs: number }> {
  const requests = bodies().map((body) => postRequest(server, '/calls/stats', body))
  await sendAll(server.url, requests, connections)
  const before = (await server.stats()).cpuSeconds
  const ms: number[] = []
  for (let time = 0; time < times; time++) ms.push((await sendAll(server.url, requests, connections)).seconds * 1_000)
  const cpuMs = (((await server.stats()).cpuSeconds - before) / times) * 1_000
  return { ms: percentile(ms, 0.5), cpuMs }
}

/** Sums by hour are loaded after the first request that could use them. */
async function untilSummed({ url, key }: BenchServer, isTiny: boolean): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', prefer: 'explain' }
  for (const body of bodies()) {
    for (let tries = 0; tries < (isTiny ? 1 : 60); tries++) {
      const response = await fetch(`${url}/calls/stats`, { method: 'POST', headers, body })
      if (!response.ok) throw new Error(`Ask for a card: ${response.status} ${await response.text()}`)
      await response.arrayBuffer()
      if (/sums;desc="[1-9]/.test(response.headers.get('server-timing') ?? '')) break
      await Bun.sleep(250)
    }
  }
}

async function store({ url, key }: BenchServer): Promise<void> {
  const val = {
    _type: 'SavedDashboard',
    _class_name: 'SavedDashboard',
    _bases: ['Object', 'BaseModel'],
    label: 'Bench',
    range: 'all',
    cards: cards.map(({ metric, group }, index) => ({
      id: `card-${index}`,
      width: 6,
      height: 3,
      metric,
      group_by: group,
    })),
  }
  const response = await fetch(`${url}/obj/create`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ obj: { project_id: project, object_id: 'bench', val } }),
  })
  if (!response.ok) throw new Error(`Store a dashboard: ${response.status} ${await response.text()}`)
  await response.arrayBuffer()
}
