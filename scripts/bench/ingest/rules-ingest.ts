import type { BenchRun } from '../bench-run.ts'
import type { BenchServer } from '../bench-server.ts'
import type { Benchmark, Figure } from '../benchmark.ts'
import { postRequest, sendAll } from '../http/requests.ts'
import { exports } from './spans.ts'

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
    `Spans of about 1 KB each (protobuf, ${spansPerExport} per request, ${connections} connections), sent by turns, ` +
    'as fast as they are taken, to servers without rules, with ten rules, and with a rule that forwards every span. ' +
    'Processor time of the main thread per span until the rules have handled it: the mean of all turns. The ceiling ' +
    'is the server without rules.',
  run: async (bench) => {
    const perTurn = Math.ceil(bench.size(60_000, 512) / spansPerExport)
    const rounds = bench.size(4, 1)
    // So that the spans end within the windows of the alerts.
    const startedNanos = BigInt(Date.now() - perTurn * spansPerExport * (rounds + 1)) * 1_000_000n
    const bodies = exports(perTurn * spansPerExport * (rounds + 1), spansPerExport, { startedNanos })
    const servers = await startAll(bench)
    const micros = new Map<Variant, number[]>(servers.map(({ variant }) => [variant, []]))
    try {
      for (let round = 0; round <= rounds; round++) {
        const sent = Array.from({ length: round === 0 ? Math.ceil(perTurn / 4) : perTurn }, () => bodies.next().value!)
        // Every other round in the opposite order, so that no server is always the first.
        for (const { variant, server } of round % 2 === 0 ? servers : servers.toReversed()) {
          const value = await measureTurn(bench, server, sent)
          bench.note(`round ${round}, ${variant}: ${value.toFixed(1)} µs a span`)
          // The first round warms up.
          if (round > 0 || bench.isTiny) micros.get(variant)!.push(value)
        }
      }
    } finally {
      for (const { server } of servers) await server.stop()
    }
    const mean = (variant: Variant) => {
      const values = micros.get(variant)!
      return values.reduce((sum, value) => sum + value, 0) / values.length
    }
    const ceiling = mean('no rules')
    return servers.map(({ variant }): Figure => {
      const figure = { variant, measure: 'main thread for a span', value: mean(variant), unit: 'µs' } as const
      if (variant === 'no rules') return figure
      // At most a tenth more than without rules.
      return { ...figure, ceiling, ...(variant === 'ten rules' && { target: { ratioMin: 0.909 } }) }
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

/** Main-thread time per span, in microseconds. */
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

/** Requests of a project, which must succeed. */
async function post<T>({ url, key }: BenchServer, path: string, body: object): Promise<T> {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}

const equals = (field: string, value: string) => ({ $expr: { $eq: [{ $getField: field }, { $literal: value }] } })

/**
 * Five alerts, two scorers and three queues, each on a part of the calls: filters on columns and
 * inside JSON, and samples.
 */
async function makeTenRules(server: BenchServer, project_id: string): Promise<void> {
  const rule = (name: string, members: object) => post(server, '/rules', { project_id, name, ...members })
  const alert = (metric: string, members: object = {}) =>
    rule(metric, {
      condition: { metric, comparison: 'above', threshold: 1e12, window_seconds: 300 },
      action: { kind: 'webhook', url: 'https://example.invalid/hook' },
      ...members,
    })
  await alert('error_rate')
  await alert('latency_p95_ms', { filter: { trace_roots_only: true } })
  await alert('total_cost')
  await alert('call_count', { query: equals('attributes.model', 'gpt-4o') })
  await alert('error_count', { query: equals('summary.ext.status', 'error') })
  const obj = { project_id, object_id: 'exact', builtin_object_class: 'ExactMatchScorer', val: {} }
  const { digest } = await post<{ digest: string }>(server, '/obj/create', { obj })
  const scorer_refs = [`ext:///${project_id}/object/exact:${digest}`]
  await rule('score', { sample_rate: 0.001, action: { kind: 'score', scorer_refs } })
  const scoreSome = { sample_rate: 0.01, query: equals('attributes.model', 'gpt-4o') }
  await rule('score some', { ...scoreSome, action: { kind: 'score', scorer_refs } })
  const { id: queue_id } = await post<{ id: string }>(server, '/annotation_queues', {
    project_id,
    name: 'queue',
    scorer_refs: [],
  })
  const action = { kind: 'add_to_queue', queue_id }
  await rule('collect', { sample_rate: 0.01, action })
  await rule('collect failed', { query: equals('summary.ext.status', 'error'), action })
  await rule('collect none', { query: equals('attributes.nothing', 'x'), action })
}

/** A rule that sends every call to a receiver in this process. */
async function makeForwarding(server: BenchServer, project_id: string): Promise<void> {
  const receiver = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      await request.arrayBuffer()
      return new Response(null, { headers: { 'content-type': 'application/x-protobuf' } })
    },
  })
  receiver.unref()
  const action = { kind: 'forward', url: `http://127.0.0.1:${receiver.port}` }
  await post(server, '/rules', { project_id, name: 'forward', action })
}
