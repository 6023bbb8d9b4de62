import type { BenchRun } from '../bench-run.ts'
import type { Benchmark, Figure, Target } from '../benchmark.ts'
import { percentile } from '../benchmark.ts'
import { postRequest, sendAll } from '../http/requests.ts'
import type { CallShape } from '../payload/calls.ts'
import { type Batching, upsertBatches } from '../payload/calls.ts'
import { ingestCeiling } from './ingest-ceiling.ts'

interface Variant extends Batching {
  readonly name: string
  readonly numbers: CallShape['numbers']
}

interface IngestOptions {
  readonly callBytes: number
  readonly calls: number
  readonly variants: readonly Variant[]
  readonly targets: { readonly calls?: Target; readonly megabytes?: Target }
}

const connections = 4

const ingest = (name: string, options: IngestOptions): Benchmark => ({
  name,
  description:
    `POST /call/upsert_batch over ${connections} keep-alive connections, calls of about ${options.callBytes / 1000} KB. ` +
    'Ceiling: the same bodies through the product’s own pieces in one process, without HTTP.',
  run: async (bench) => {
    const figures: Figure[] = []
    // Variants differ in what is sent only, which a tiny run need not show.
    const variants = options.variants.slice(0, bench.size(options.variants.length, 1))
    for (const variant of variants) figures.push(...(await runVariant(bench, options, variant)))
    return figures
  },
})

export const ingest1k = ingest('ingest-1k', {
  callBytes: 1000,
  calls: 300_000,
  variants: [
    { name: '100 pairs a batch', callsPerBatch: 100, endsLater: 0, numbers: 'short' },
    { name: 'ends 1,000 calls later', callsPerBatch: 100, endsLater: 1000, numbers: 'short' },
    { name: '50 pairs a batch', callsPerBatch: 50, endsLater: 0, numbers: 'short' },
    { name: '100 pairs, Python’s floats', callsPerBatch: 100, endsLater: 0, numbers: 'python' },
  ],
  targets: { calls: { min: 35_000, ratioMin: 0.5 } },
})

export const ingest20k = ingest('ingest-20k', {
  callBytes: 20_000,
  calls: 30_000,
  variants: [
    { name: '50 pairs a batch', callsPerBatch: 50, endsLater: 0, numbers: 'short' },
    { name: 'ends 1,000 calls later', callsPerBatch: 50, endsLater: 1000, numbers: 'short' },
    { name: '50 pairs, Python’s floats', callsPerBatch: 50, endsLater: 0, numbers: 'python' },
  ],
  targets: { megabytes: { min: 50 } },
})

async function runVariant(
  bench: BenchRun,
  { callBytes, calls, targets }: IngestOptions,
  variant: Variant,
): Promise<Figure[]> {
  const total = bench.size(calls, 400)
  bench.note(`making ${total} calls of ${callBytes} bytes`)
  const bodies = [...upsertBatches(0, total, { bytes: callBytes, numbers: variant.numbers }, variant)].map(
    ({ body }) => body,
  )
  const megabytes = bodies.reduce((sum, body) => sum + body.byteLength, 0) / 1e6
  bench.note(`sending ${megabytes.toFixed(0)} MB in ${bodies.length} requests, ${variant.name}`)
  const { load, clientCpuSeconds, stats } = await sendToServer(bench, bodies)
  bench.note('measuring the ceiling')
  const ceilingFolder = bench.newFolder('ceiling')
  const ceiling = await ingestCeiling(bodies, ceilingFolder)
  await bench.removeFolder(ceilingFolder)
  const of = (measure: string, value: number, unit: Figure['unit'], rest: Partial<Figure> = {}): Figure => ({
    variant: variant.name,
    measure,
    value,
    unit,
    ...rest,
  })
  const callsTarget = targets.calls === undefined ? {} : { target: targets.calls }
  const megabytesTarget = targets.megabytes === undefined ? {} : { target: targets.megabytes }
  return [
    of('calls', total / load.seconds, 'calls/s', { ceiling: total / ceiling.total, ...callsTarget }),
    of('request bodies', megabytes / load.seconds, 'MB/s', { ceiling: megabytes / ceiling.total, ...megabytesTarget }),
    of('request p50', percentile(load.latenciesMs, 0.5), 'ms'),
    of('request p99', percentile(load.latenciesMs, 0.99), 'ms'),
    of('server memory at the end', stats.rssBytes / 1e6, 'MB'),
    of('server CPU for a call', (stats.cpuSeconds / total) * 1e6, 'µs'),
    of('main thread for a call', (stats.mainThreadSeconds / total) * 1e6, 'µs'),
    ...(['parse', 'rows', 'encode', 'sync', 'duckdb'] as const).map((step) =>
      of(`ceiling, ${step} for a call`, (ceiling[step] / total) * 1e6, 'µs'),
    ),
    of('client CPU for a call', (clientCpuSeconds / total) * 1e6, 'µs'),
  ]
}

async function sendToServer(bench: BenchRun, bodies: readonly Uint8Array[]) {
  const data = bench.newFolder('ingest')
  try {
    await using server = await bench.startServer(data)
    const requests = bodies.map((body) => postRequest(server, '/call/upsert_batch', body))
    const before = await server.stats()
    const clientBefore = process.cpuUsage()
    const load = await sendAll(server.url, requests, connections)
    const client = process.cpuUsage(clientBefore)
    const after = await server.stats()
    return {
      load,
      clientCpuSeconds: (client.user + client.system) / 1e6,
      stats: {
        rssBytes: after.rssBytes,
        cpuSeconds: after.cpuSeconds - before.cpuSeconds,
        mainThreadSeconds: after.mainThreadSeconds - before.mainThreadSeconds,
      },
    }
  } finally {
    await bench.removeFolder(data)
  }
}
