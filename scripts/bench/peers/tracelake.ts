import path from 'node:path'
import type { CallEnd, CallStart } from '../../../src/demo/traces/call-items.ts'
import { hexId } from '../ingest/spans.ts'
import type { Delivery, Peer, PeerRequest, Question, QuestionName, Spans } from './peer.ts'
import { freePort } from './peer-server.ts'

const repository = path.join(import.meta.dir, '../../..')
const key = 'bench-key-of-the-admin'
const project = 'bench/spans'
const headers = { authorization: `Bearer ${key}` }
const callsPerBatch = 100
const encoder = new TextEncoder()

/** This program, given spans by OTLP, or the same as calls in its own JSON. */
export const tracelake = (intake: 'OTLP' | 'JSON'): Peer => ({
  name: `tracelake ${intake}`,
  version: 'this checkout',
  isOurs: true,
  async launch(folder) {
    const port = await freePort()
    return {
      command: [process.execPath, path.join(repository, 'dist/tracelake.js'), 'serve', '--port', String(port)],
      env: {
        TRACELAKE_DATA: folder,
        TRACELAKE_ADMIN_KEY: key,
        TRACELAKE_GRPC_PORT: 'off',
        TRACELAKE_LOG_LEVEL: 'warn',
      },
      url: `http://127.0.0.1:${port}`,
      ready: '/health',
    }
  },
  deliveries: intake === 'OTLP' ? exportsOf : batchesOf,
  questions: async (spans) => questionsOf(spans, intake),
  async isStored({ count }, url) {
    const answer = await fetch(`${url}/calls/query_stats`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ project_id: project }),
    })
    return ((await answer.json()) as { count: number }).count === count
  },
})

function* exportsOf(spans: Spans): Generator<Delivery> {
  for (const bytes of spans.exports())
    yield {
      path: '/otel/v1/traces',
      bytes,
      headers: { ...headers, 'content-type': 'application/x-protobuf', project_id: project },
    }
}

function* batchesOf(spans: Spans): Generator<Delivery> {
  for (let from = 0; from < spans.count; from += callsPerBatch) {
    const items = []
    for (let index = from; index < Math.min(from + callsPerBatch, spans.count); index++) {
      const { start, end } = callOf(index, spans)
      items.push({ mode: 'start', req: { start } }, { mode: 'end', req: { end } })
    }
    yield {
      path: '/call/upsert_batch',
      bytes: encoder.encode(JSON.stringify({ batch: items })),
      headers: { ...headers, 'content-type': 'application/json' },
    }
  }
}

/** What an SDK would send for the same model call. */
function callOf(index: number, spans: Spans): { start: CallStart; end: CallEnd } {
  const { root, model, startNanos, endNanos, input, output, inputTokens, outputTokens, isError } = spans.content(index)
  const time = (nanos: bigint) => new Date(Number(nanos / 1_000_000n)).toISOString()
  return {
    start: {
      project_id: project,
      id: hexId(index, 8),
      op_name: `chat ${model}`,
      trace_id: hexId(root, 16),
      ...(index === root ? {} : { parent_id: hexId(root, 8) }),
      thread_id: `talk-${root}`,
      started_at: time(startNanos),
      attributes: {
        provider: 'openai',
        gen_ai: { request: { model } },
        server: { address: 'api.openai.com', port: 443 },
      },
      inputs: { model, temperature: 0.7, max_tokens: 1024, messages: [{ role: 'user', content: input }] },
    },
    end: {
      project_id: project,
      id: hexId(index, 8),
      ended_at: time(endNanos),
      ...(isError ? { exception: 'Error' } : {}),
      output: { id: `chatcmpl-${index}`, choices: [{ message: { role: 'assistant', content: output } }] },
      summary: { usage: { [model]: { requests: 1, prompt_tokens: inputTokens, completion_tokens: outputTokens } } },
    },
  }
}

const field = (place: string) => ({ $getField: place })
const literal = (value: unknown) => ({ $literal: value })
const newestFirst = [{ field: 'started_at', direction: 'desc' }]
const lines = (answer: string) => answer.trim().split('\n').length

function questionsOf(spans: Spans, intake: 'OTLP' | 'JSON'): Record<QuestionName, Question> {
  const post = (place: string, body: object): PeerRequest => ({
    path: place,
    body: JSON.stringify({ project_id: project, ...body }),
    headers,
  })
  const page = (body: object) => () =>
    post('/calls/stream_query', { sort_by: newestFirst, limit: 50, columns: pageColumns, ...body })
  const { attribute, word } = spans
  const place = intake === 'OTLP' ? `attributes.otel_span.attributes.${attribute.key}` : `attributes.${attribute.key}`
  const ofModel = { $expr: { $eq: [field(place), literal(attribute.value)] } }
  const withWord = { $expr: { $contains: { input: field('inputs'), substr: literal(word.text) } } }
  const count = (answer: string) => (JSON.parse(answer) as { count: number }).count
  const trace = (traceId: string, limit: number) =>
    post('/calls/stream_query', { filter: { trace_ids: [traceId] }, sort_by: newestFirst, limit })
  return {
    'newest 50 roots': { request: page({ filter: { trace_roots_only: true } }), sizeOf: lines, size: 50 },
    'trace of 10': {
      request: (time) => trace(spans.traceId((time * 7919) % spans.smallTraces), 1000),
      sizeOf: lines,
      size: 10,
    },
    'trace of 10,000': {
      request: () => trace(spans.largeTraceId, spans.largeTrace),
      sizeOf: lines,
      size: spans.largeTrace,
    },
    'count by attribute': {
      request: () => post('/calls/query_stats', { query: ofModel }),
      sizeOf: count,
      size: attribute.spans,
    },
    'newest 50 by attribute': { request: page({ query: ofModel }), sizeOf: lines, size: 50 },
    'newest 50 with a rare word': {
      request: page({ query: withWord }),
      sizeOf: lines,
      size: Math.min(50, word.spans),
    },
    'count by hour': {
      request: () =>
        post('/calls/stats', {
          start: new Date(spans.firstMs).toISOString(),
          end: new Date(spans.firstMs + spans.hours * 3_600_000).toISOString(),
          granularity: 3600,
          call_metrics: [{ metric: 'latency_ms', aggregations: ['avg'] }, { metric: 'error_count' }],
        }),
      sizeOf: (answer) => (JSON.parse(answer) as { call_buckets: unknown[] }).call_buckets.length,
      size: spans.hours,
    },
    'count of all': { request: () => post('/calls/query_stats', {}), sizeOf: count, size: spans.count },
  }
}

/** What a list of traces shows. */
const pageColumns = ['id', 'trace_id', 'parent_id', 'op_name', 'started_at', 'ended_at', 'exception', 'summary']
