import { type PartOptions, spanPart } from '../../../src/domains/calls/parts.ts'
import { groupDump, storeSpan } from '../../../src/formats/mapping/spans/span-dump.ts'
import { spanToCall } from '../../../src/formats/mapping/spans/span-to-call.ts'
import { decodeProtobuf } from '../../../src/formats/wire/otlp/decode-protobuf.ts'
import type { Span, SpanGroup } from '../../../src/formats/wire/otlp/span.ts'
import type { BenchRun } from '../bench-run.ts'
import type { Benchmark } from '../benchmark.ts'
import { percentile } from '../benchmark.ts'
import { postRequest, sendAll } from '../http/requests.ts'
import { type CeilingSeconds, durableCeiling, type Intake } from './ingest-ceiling.ts'
import { exports } from './spans.ts'

const connections = 4
const spansPerExport = 512
const project = 'bench/spans'

export const otlpIngest: Benchmark = {
  name: 'otlp-ingest',
  description:
    `POST /otel/v1/traces in protobuf over ${connections} keep-alive connections, ${spansPerExport} spans of about 1 KB each. ` +
    'Two ceilings, both in one process without HTTP: decoding the same bytes and nothing else; and decoding, mapping, the log with its syncs, DuckDB.',
  run: async (bench) => {
    const spans = bench.size(100_000, 1_000)
    bench.note(`making ${spans} spans`)
    const bodies = [...exports(spans, spansPerExport)]
    const megabytes = bodies.reduce((sum, body) => sum + body.byteLength, 0) / 1e6
    bench.note(`sending ${megabytes.toFixed(0)} MB in ${bodies.length} requests`)
    const { seconds, latenciesMs, cpuSeconds, stored } = await sendToServer(bench, bodies)
    if (stored !== spans) throw new Error(`Send ${spans} spans: ${stored} are stored`)
    const ceiling = spans / decodeSeconds(bodies)
    const variant = 'protobuf'
    const folder = bench.newFolder('otlp-ceiling')
    const durable = await durableCeiling(bodies, spanIntake, folder)
    await bench.removeFolder(folder)
    bench.note(`one process: ${JSON.stringify(inMicros(durable, spans))} µs a span`)
    return [
      {
        variant,
        measure: 'spans, of decoding',
        value: spans / seconds,
        unit: '/s',
        ceiling,
        target: { ratioMin: 0.35 },
      },
      { variant, measure: 'spans, of all steps', value: spans / seconds, unit: '/s', ceiling: spans / durable.total },
      { variant, measure: 'request bodies', value: megabytes / seconds, unit: 'MB/s' },
      { variant, measure: 'request p50', value: percentile(latenciesMs, 0.5), unit: 'ms' },
      { variant, measure: 'request p99', value: percentile(latenciesMs, 0.99), unit: 'ms' },
      { variant, measure: 'server CPU for a span', value: (cpuSeconds / spans) * 1e6, unit: 'µs' },
    ]
  },
}

async function sendToServer(bench: BenchRun, bodies: readonly Uint8Array[]) {
  const data = bench.newFolder('otlp')
  try {
    await using server = await bench.startServer(data)
    const requests = bodies.map((body) =>
      postRequest(server, '/otel/v1/traces', body, { 'content-type': 'application/x-protobuf', project_id: project }),
    )
    const before = await server.stats()
    const { seconds, latenciesMs } = await sendAll(server.url, requests, connections)
    const after = await server.stats()
    return {
      seconds,
      latenciesMs,
      cpuSeconds: after.cpuSeconds - before.cpuSeconds,
      stored: await countOf(server.url, server.key),
    }
  } finally {
    await bench.removeFolder(data)
  }
}

async function countOf(url: string, key: string): Promise<number> {
  const answer = await fetch(`${url}/calls/query_stats`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ project_id: project }),
  })
  return ((await answer.json()) as { count: number }).count
}

const inMicros = (steps: CeilingSeconds, spans: number) =>
  Object.fromEntries(Object.entries(steps).map(([step, seconds]) => [step, Math.round((seconds / spans) * 1e7) / 10]))

const options: PartOptions = { redact: true, userId: 'bench', nowMs: 1_767_600_000_000, contents: undefined }
const noRedaction = () => {}

/** The product's own parts, without naming ops and marking turns. */
const spanIntake: Intake<{ group: SpanGroup; spans: Span[] }[]> = {
  parse: (body) => decodeProtobuf(body).map((group) => ({ group, spans: group.spans.map((decode) => decode()) })),
  rows: (groups) =>
    groups.flatMap(({ group, spans }) => {
      const dump = groupDump(group, noRedaction)
      return spans.map((span) => {
        const { call, values } = spanToCall(span, project, noRedaction)
        return spanPart(call, (held) => storeSpan(span, values, dump, held, noRedaction), project, options)
      })
    }),
}

/** Seconds spent decoding all attributes of all spans. */
function decodeSeconds(bodies: readonly Uint8Array[]): number {
  const startMs = performance.now()
  let attributes = 0
  for (const body of bodies) {
    for (const { spans } of decodeProtobuf(body)) for (const decode of spans) attributes += decode().attributes.length
  }
  const seconds = (performance.now() - startMs) / 1000
  if (attributes === 0) throw new Error('Decode the spans: they have no attributes')
  return seconds
}
