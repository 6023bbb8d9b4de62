import { expect, test } from 'bun:test'
import { Project } from '../support/project.ts'
import { startServer } from '../support/server-process.ts'

interface Span {
  name: string
  traceId: string
  parentSpanId?: string
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: Record<string, unknown> }[]
}
interface Export {
  resourceSpans: { resource: { attributes: Span['attributes'] }; scopeSpans: { spans: Span[] }[] }[]
}

const attributesOf = (attributes: Span['attributes']) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

test('the server exports its own traces to a collector', async () => {
  const exports: Export[] = []
  await using collector = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      if (new URL(request.url).pathname === '/v1/traces') exports.push((await request.json()) as Export)
      return Response.json({})
    },
  })
  const server = await startServer({ env: { TRACELAKE_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}/` } })
  const project = new Project(server.client, 'own', 'traces')
  await project.start({ id: 'a' })
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const traceparent = `00-${traceId}-b7ad6b7169203331-01`
  const headers = { traceparent, 'x-request-id': 'mine' }
  await server.client.post('/call/read', { project_id: project.id, id: 'a' }, { headers })
  await server.client.post('/call/read', {})
  expect(await server.stop()).toBe(0)

  const resources = exports.flatMap(({ resourceSpans }) => resourceSpans)
  expect(attributesOf(resources[0]!.resource.attributes)).toMatchObject({ 'service.name': 'tracelake' })
  const spans = resources.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
  const answered = spans.map(({ name, attributes }) => [
    name,
    Number(attributesOf(attributes)['http.response.status_code']),
  ])
  expect(answered).toEqual(
    expect.arrayContaining([
      ['calls.start', 200],
      ['calls.read', 200],
      ['calls.read', 422],
    ]),
  )
  const child = spans.find((span) => span.traceId === traceId)!
  expect(child).toMatchObject({ name: 'calls.read', parentSpanId: 'b7ad6b7169203331' })
  expect(attributesOf(child.attributes)).toMatchObject({
    'http.request.method': 'POST',
    'tracelake.request_id': 'mine',
  })
  expect(BigInt(child.endTimeUnixNano) >= BigInt(child.startTimeUnixNano)).toBe(true)
  expect(Math.abs(Number(child.startTimeUnixNano) / 1e6 - Date.now())).toBeLessThan(3_600_000)
}, 120_000)

test('an unreachable collector does no harm', async () => {
  const server = await startServer({ env: { TRACELAKE_OTLP_ENDPOINT: 'http://127.0.0.1:1' } })
  const project = new Project(server.client, 'own', 'traces')
  await project.add({ id: 'a' })
  expect((await project.readExisting('a')).id).toBe('a')
  expect(await server.stop()).toBe(0)
}, 120_000)
