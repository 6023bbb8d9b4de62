import { describe, expect, test } from 'bun:test'
import type { Client } from '../support/client.ts'
import { LiveListener } from '../support/live.ts'
import { exportOf, groupOf, send, spanOf } from '../support/otlp.ts'
import { expectRefusal } from '../support/refusals.ts'
import { freshProject, ownServer } from '../support/target.ts'

const server = await ownServer()

/** Values of the metrics by their name with labels. */
async function metricsOf(client: Client): Promise<Map<string, number>> {
  const { status, text, headers } = await client.get('/metrics')
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]))
}

describe('metrics', () => {
  test('count requests and their duration by operation and status', async () => {
    const project = freshProject(server.client)
    const before = await metricsOf(server.client)
    await project.start({ id: 'a' })
    await project.start({ id: 'b' })
    expectRefusal(await server.client.post('/call/start', { start: {} }, { key: 'no-such-key' }), 401)
    expect((await server.client.post('/call/start', { start: {} })).status).toBe(422)
    await project.complete({ id: 'c' })
    await server.client.get('/no/such/path')
    const after = await metricsOf(server.client)
    const grown = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0)
    const requests = (operation: string, status: number) =>
      grown(`tracelake_requests_total{operation="${operation}",status="${status}"}`)
    expect(requests('calls.start', 200)).toBe(2)
    expect(requests('calls.start', 401)).toBe(1)
    expect(requests('calls.start', 422)).toBe(1)
    expect(requests('calls.complete', 200)).toBe(1)
    expect(requests('none', 404)).toBe(1)
    expect(grown('tracelake_request_duration_seconds_count{operation="calls.start"}')).toBe(4)
    expect(grown('tracelake_request_duration_seconds_bucket{operation="calls.start",le="+Inf"}')).toBe(4)
    expect(grown('tracelake_request_duration_seconds_sum{operation="calls.start"}')).toBeGreaterThan(0)
    expect(grown('tracelake_log_rows_total{table="calls"}')).toBe(3)
    expect(grown('tracelake_log_bytes_total{table="calls"}')).toBeGreaterThan(0)
    expect(grown('tracelake_log_syncs_total{table="calls"}')).toBe(3)
  })

  test('count accepted and rejected spans', async () => {
    const headers = { project_id: freshProject(server.client).id }
    const before = await metricsOf(server.client)
    await send(server.client, exportOf(groupOf([spanOf(), spanOf()])), 'protobuf', { headers })
    await send(server.client, exportOf(groupOf([spanOf(), { ...spanOf(), traceId: 'ab' }])), 'json', { headers })
    // A rejected request counts only as a request: its sender retries or knows that it failed.
    expect((await send(server.client, exportOf(groupOf([spanOf()])), 'json')).status).toBe(400)
    const after = await metricsOf(server.client)
    const grown = (outcome: string) => {
      const name = `tracelake_spans_total{outcome="${outcome}"}`
      return (after.get(name) ?? Number.NaN) - (before.get(name) ?? Number.NaN)
    }
    expect(grown('taken')).toBe(3)
    expect(grown('rejected')).toBe(1)
  })

  test('report the size of the store and the resources of the process', async () => {
    const project = freshProject(server.client)
    await project.add({ id: 'a' })
    const listener = await LiveListener.connect(project)
    const metrics = await metricsOf(server.client)
    await listener.close()
    expect(metrics.get('tracelake_memtable_rows{table="calls"}')).toBeGreaterThan(0)
    expect(metrics.get('tracelake_memtable_bytes{table="calls"}')).toBeGreaterThan(0)
    expect(metrics.get('tracelake_live_tails')).toBe(1)
    expect(metrics.get('tracelake_store_ready')).toBe(1)
    expect(metrics.get('tracelake_queries_running')).toBeGreaterThanOrEqual(0)
    expect(metrics.get('tracelake_duckdb_memory_bytes')).toBeGreaterThanOrEqual(0)
    expect(metrics.get('tracelake_flushes_total{table="calls"}')).toBe(0)
    expect(metrics.get('process_resident_memory_bytes')).toBeGreaterThan(1_000_000)
    expect(metrics.get('process_cpu_seconds_total')).toBeGreaterThan(0)
    expect([...metrics.keys()].find((name) => name.startsWith('tracelake_info{'))).toContain('version="')
  })

  test('have a description and a type each', async () => {
    const { text } = await server.client.get('/metrics')
    const names = text.split('\n').flatMap((line) => /^# TYPE (\S+) (?:counter|gauge|histogram)$/.exec(line)?.[1] ?? [])
    expect(names).toContain('tracelake_request_duration_seconds')
    for (const name of names) expect(text).toContain(`# HELP ${name} `)
  })

  test('require a key for all projects', async () => {
    expectRefusal(await server.client.get('/metrics', { key: null }), 401)
    const reader = await server.createKey({ name: 'prometheus', role: 'read', scope: '*' })
    expect((await server.client.get('/metrics', { key: reader })).status).toBe(200)
    const narrow = await server.createKey({ name: 'narrow', role: 'admin', scope: 'acme' })
    expectRefusal(await server.client.get('/metrics', { key: narrow }), 403, 'scope "*"')
  })

  test('are public if the server is configured so', async () => {
    const open = await ownServer({ env: { TRACELAKE_METRICS: 'open' } })
    const { status, text } = await open.client.get('/metrics', { key: null })
    expect(status).toBe(200)
    expect(text).toContain('tracelake_store_ready 1')
  })
})
