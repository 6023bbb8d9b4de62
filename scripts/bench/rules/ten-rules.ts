import type { BenchServer } from '../server/bench-server.ts'

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
export async function makeTenRules(server: BenchServer, project_id: string): Promise<void> {
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
export async function makeForwarding(server: BenchServer, project_id: string): Promise<void> {
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
