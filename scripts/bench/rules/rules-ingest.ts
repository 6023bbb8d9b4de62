import type { BenchRun } from '../bench-run.ts'
import type { Benchmark, Figure } from '../benchmark.ts'
import { sendAll } from '../http/load.ts'
import { postRequest } from '../http/requests.ts'
import { exports } from '../otlp/spans.ts'
import type { BenchServer } from '../server/bench-server.ts'
import { makeForwarding, makeTenRules } from './ten-rules.ts'

const connections = 4
const spansPerExport = 512
const project = 'bench/spans'

/** What a server does beside taking in spans. */
const variants = {
  'no rules': async () => {},
  'ten rules': (server: BenchServer) => makeTenRules(server, project),
  'forwarding every span': (server: BenchServer) => makeForwarding(server, project),
} as const
type Variant = keyof typeof variants

/** Exports that a server gets before the next server has its turn. */
const exportsPerSlice = 8

export const rulesIngest: Benchmark = {
  name: 'rules-ingest',
  description:
    `Spans of about 1 KB each (protobuf, ${spansPerExport} per request, ${connections} connections), sent to ` +
    'servers without rules, with ten rules, and with a rule that forwards every span, which take turns every ' +
    `${exportsPerSlice * spansPerExport} spans. Processor time of the main thread per span until the rules have ` +
    'handled it: the mean. The ceiling is the server without rules.',
  run: async (bench) => {
    const spans = bench.size(20_000, 512)
    const rounds = bench.size(10, 1)
    // So that the spans end within the windows of the alerts.
    const startedNanos = BigInt(Date.now() - spans * (rounds + 1)) * 1_000_000n
    const bodies = [...exports(spans * (rounds + 1), spansPerExport, startedNanos)]
    const perRound = Math.ceil(bodies.length / (rounds + 1))
    const servers = await startAll(bench)
    const micros = new Map<Variant, number[]>(servers.map(({ variant }) => [variant, []]))
    try {
      for (let round = 0; round <= rounds; round++) {
        const values = await measureRound(bench, servers, bodies.slice(round * perRound, (round + 1) * perRound))
        const shown = [...values].map(([variant, value]) => `${variant} ${value.toFixed(1)}`)
        bench.note(`round ${round}: ${shown.join(', ')} µs a span`)
        // The first round warms up.
        if (round > 0 || bench.isTiny) for (const [variant, value] of values) micros.get(variant)!.push(value)
      }
    } finally {
      for (const { server } of servers) await server.stop()
    }
    const mean = (variant: Variant) => micros.get(variant)!.reduce((sum, value) => sum + value, 0) / rounds
    const ceiling = mean('no rules')
    return servers.map(({ variant }): Figure => {
      const figure = { variant, measure: 'main thread for a span', value: mean(variant), unit: 'µs' } as const
      if (variant === 'no rules') return figure
      return { ...figure, ceiling, ...(variant === 'ten rules' && { target: { ratioMin: 0.91 } }) }
    })
  },
}

async function startAll(bench: BenchRun): Promise<{ variant: Variant; server: BenchServer }[]> {
  const servers: { variant: Variant; server: BenchServer }[] = []
  for (const variant of Object.keys(variants) as Variant[]) {
    const server = await bench.startServer(bench.newFolder('rules'))
    await variants[variant](server)
    servers.push({ variant, server })
  }
  return servers
}

/** How long the rules may take to notice, gather and handle what was sent. */
const settleMs = 6_000

/** Main-thread time per span of each server, in microseconds. */
async function measureRound(
  bench: BenchRun,
  servers: readonly { readonly variant: Variant; readonly server: BenchServer }[],
  bodies: readonly Uint8Array[],
): Promise<Map<Variant, number>> {
  const secondsOf = async (server: BenchServer) => (await server.stats()).mainThreadSeconds
  const before = await Promise.all(servers.map(({ server }) => secondsOf(server)))
  for (let start = 0; start < bodies.length; start += exportsPerSlice) {
    for (const { server } of servers) {
      const requests = bodies.slice(start, start + exportsPerSlice).map((body) =>
        postRequest(server, '/otel/v1/traces', body, {
          'content-type': 'application/x-protobuf',
          project_id: project,
        }),
      )
      await sendAll(server.url, requests, connections)
    }
  }
  await Bun.sleep(bench.size(settleMs, 100))
  const spans = bodies.length * spansPerExport
  const values = servers.map(async ({ variant, server }, index): Promise<[Variant, number]> => {
    return [variant, (((await secondsOf(server)) - before[index]!) / spans) * 1e6]
  })
  return new Map(await Promise.all(values))
}
