import type { BenchRun } from '../bench-run.ts'
import type { Benchmark, Figure } from '../benchmark.ts'
import { sendAll } from '../http/load.ts'
import { postRequest } from '../http/requests.ts'
import { exports } from '../otlp/spans.ts'
import { percentile } from '../percentile.ts'
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

export const rulesIngest: Benchmark = {
  name: 'rules-ingest',
  description:
    `Spans of about 1 KB each (protobuf, ${spansPerExport} per request, ${connections} connections), sent by turns to ` +
    'servers without rules, with ten rules, and with a rule that forwards every span. Time of the main thread per ' +
    'span, of one turn, until its calls are handled: the median. The ceiling is the server without rules.',
  run: async (bench) => {
    const spans = bench.size(20_000, 512)
    const turns = bench.size(7, 1)
    // So that the spans end within the windows of the alerts.
    const startedNanos = BigInt(Date.now() - spans * (turns + 1)) * 1_000_000n
    const bodies = [...exports(spans * (turns + 1), spansPerExport, startedNanos)]
    const perTurn = Math.ceil(bodies.length / (turns + 1))
    const servers = await startAll(bench)
    const micros: Record<Variant, number[]> = { 'no rules': [], 'ten rules': [], 'forwarding every span': [] }
    try {
      for (let turn = 0; turn <= turns; turn++) {
        const sent = bodies.slice(turn * perTurn, (turn + 1) * perTurn)
        for (const { variant, server } of servers) {
          const value = await measureTurn(bench, server, sent)
          // The first turn warms up.
          if (turn > 0 || bench.isTiny) micros[variant].push(value)
          bench.note(`turn ${turn}, ${variant}: ${value.toFixed(1)} µs a span`)
        }
      }
    } finally {
      for (const { server } of servers) await server.stop()
    }
    const ceiling = percentile(micros['no rules'], 0.5)
    return servers.map(({ variant }): Figure => {
      const value = percentile(micros[variant], 0.5)
      const figure = { variant, measure: 'main thread for a span', value, unit: 'µs' } as const
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
const settleMs = 4_000

async function measureTurn(bench: BenchRun, server: BenchServer, bodies: readonly Uint8Array[]): Promise<number> {
  const requests = bodies.map((body) =>
    postRequest(server, '/otel/v1/traces', body, { 'content-type': 'application/x-protobuf', project_id: project }),
  )
  const before = await server.stats()
  await sendAll(server.url, requests, connections)
  await Bun.sleep(bench.size(settleMs, 100))
  const after = await server.stats()
  return ((after.mainThreadSeconds - before.mainThreadSeconds) / (bodies.length * spansPerExport)) * 1e6
}
