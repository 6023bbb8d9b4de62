import { beforeAll, describe, expect, test } from 'bun:test'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { basic } from '../support/client.ts'
import type { Project } from '../support/project.ts'
import { freshProject, sharedServer } from '../support/target.ts'

let project: Project
beforeAll(async () => {
  project = freshProject(await sharedServer())
  const batch = Array.from({ length: 300 }, (_, at) => ({
    id: `call-${at}`,
    inputs: { question: `What is ${at}?`, context: 'the same context in every call' },
  }))
  await project.add(...batch)
})

const plainOf = { gzip: gunzipSync, zstd: zstdDecompressSync }

async function ask(path: string, body: object | null, encoding: string | null, accept = '*/*'): Promise<Response> {
  const { address, key } = project.client
  return await fetch(address + path, {
    method: body === null ? 'GET' : 'POST',
    headers: {
      accept,
      authorization: basic('api', key),
      'content-type': 'application/json',
      // Bun sends one of its own unless there is one.
      'accept-encoding': encoding ?? 'identity',
    },
    ...(body !== null && { body: JSON.stringify(body) }),
    decompress: false,
  })
}

const streamed = [
  ['JSON Lines', 'application/jsonl'],
  ['JSON', 'application/json'],
  ['CSV', 'text/csv'],
  ['TSV', 'text/tab-separated-values'],
] as const

describe.each(['gzip', 'zstd'] as const)('%s on request', (coding) => {
  test.each(streamed)('%s of a stream', async (_, accept) => {
    const question = { project_id: project.id, sort_by: [{ field: 'id', direction: 'asc' }] }
    const plain = await ask('/calls/stream_query', question, null, accept)
    expect([plain.status, plain.headers.get('content-encoding')]).toEqual([200, null])
    expect(plain.headers.get('vary')).toContain('accept-encoding')
    const text = await plain.text()
    const small = await ask('/calls/stream_query', question, coding, accept)
    expect([small.status, small.headers.get('content-encoding')]).toEqual([200, coding])
    expect(small.headers.get('content-type')).toBe(plain.headers.get('content-type')!)
    const bytes = await small.bytes()
    expect(bytes.byteLength).toBeLessThan(text.length / 4)
    expect(plainOf[coding](bytes).toString()).toBe(text)
  })

  test.each([
    ['/openapi.json', null],
    ['/calls/query', { limit: 100 }],
  ])('whole answers: %s', async (path, body) => {
    const question = body && { project_id: project.id, ...body }
    const text = await (await ask(path, question, null)).text()
    const response = await ask(path, question, coding)
    expect([response.status, response.headers.get('content-encoding')]).toEqual([200, coding])
    expect(plainOf[coding](await response.bytes()).toString()).toBe(text)
  })
})

test.each([
  ['gzip;q=0.2, zstd;q=0.9', 'zstd'],
  ['gzip;q=0.9, zstd;q=0.2', 'gzip'],
  ['gzip, deflate, br, zstd', 'zstd'],
  ['br, deflate', null],
  ['zstd;q=0, gzip;q=0', null],
])('the client decides: %s', async (encoding, coding) => {
  const response = await ask('/calls/stream_query', { project_id: project.id }, encoding)
  expect(response.headers.get('content-encoding')).toBe(coding)
  await response.bytes()
})

test.each([
  ['/version', null, 'identity'],
  ['/version', null, 'gzip'],
  ['/calls/query_stats', {}, 'identity'],
  ['/openapi.json', null, 'identity'],
  ['/openapi.json', null, 'gzip'],
])('whole answers announce their length: %s %j %s', async (path, body, encoding) => {
  const response = await ask(path, body && { project_id: project.id, ...body }, encoding)
  expect(response.headers.get('content-length')).toBe(String((await response.bytes()).byteLength))
})

describe('as they are stay', () => {
  test.each([
    ['/version', null],
    ['/calls/query_stats', {}],
    ['/calls/stream_query', { limit: 1, columns: ['id'] }],
    ['/calls/stream_query', { filter: { call_ids: ['none'] } }],
  ])('small answers: %s %j', async (path, body) => {
    const send = () => ask(path, body && { project_id: project.id, ...body }, 'gzip, zstd')
    let response = await send()
    // A stream that a busy machine ends late is compressed like a long one.
    for (let again = 0; again < 50 && response.headers.has('content-encoding'); again++) response = await send()
    expect([response.status, response.headers.get('content-encoding')]).toEqual([200, null])
    await response.text()
  })

  test('refusals', async () => {
    const response = await ask('/calls/stream_query', {}, 'gzip')
    expect([response.status, response.headers.get('content-encoding')]).toEqual([422, null])
    expect(await response.json()).toHaveProperty('detail')
  })

  test.each(['application/vnd.apache.arrow.stream', 'application/vnd.apache.parquet'])('%s', async (accept) => {
    const response = await ask('/calls/stream_query', { project_id: project.id }, 'gzip, zstd', accept)
    expect([response.status, response.headers.get('content-encoding')]).toEqual([200, null])
    await response.bytes()
  })

  test('server-sent events', async () => {
    const response = await ask(`/calls/live?project_id=${encodeURIComponent(project.id)}`, null, 'gzip, zstd')
    expect([response.status, response.headers.get('content-encoding')]).toEqual([200, null])
    await response.body!.cancel()
  })
})
