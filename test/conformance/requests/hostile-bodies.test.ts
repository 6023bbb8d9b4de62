import { describe, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { expectRefusal } from '../support/refusals.ts'
import { freshProject, ownServer } from '../support/target.ts'

const MiB = 1024 * 1024
const server = await ownServer()
const { client } = server
const readKey = await server.createKey({ name: 'reader', role: 'read', scope: 'other/project' })
const writeKey = await server.createKey({ name: 'writer', role: 'write', scope: 'other/project' })

/** A body of almost the largest size that is small on the wire. */
function bodyOf(element: string, bytes = 31 * MiB): Uint8Array<ArrayBuffer> {
  const count = Math.floor(bytes / (element.length + 1))
  return new Uint8Array(gzipSync(`{"project_id":"other/project","rows":[${`${element},`.repeat(count)}${element}]}`))
}

const post = (path: string, body: Uint8Array<ArrayBuffer>, key = readKey) =>
  client.postRaw(path, body, { key, headers: { 'content-encoding': 'gzip' } })

describe('a body with too many values is rejected', () => {
  test.each(['[]', '{}', '[{}]', '1.0', '{"a":1}', '{"b":1,"0":1}', '1'])('%s', async (element) => {
    const answer = await post('/calls/query_stats', bodyOf(element))
    // A list of vectors has millions of small numbers.
    if (element === '1') expect(answer.status).toBeWithin(200, 423)
    else expectRefusal(answer, 413)
  })

  test('numeric names out of order', async () => {
    const names = (count: number) => Array.from({ length: count }, (_, i) => `"${count - i}":1`).join(',')
    const body = (count: number) => `{"project_id":"other/project","x":{${names(count)}}}`
    expectRefusal(await client.postRaw('/calls/query_stats', body(100_000), { key: readKey }), 413)
    expect((await client.postRaw('/calls/query_stats', body(1_000), { key: readKey })).status).toBe(200)
  })
})

test('sixteen such bodies leave memory for other requests', async () => {
  const project = freshProject(client)
  await project.start({ id: 'a' })
  const hostile = Array.from({ length: 16 }, () => post('/calls/query_stats', bodyOf('[]')))
  for (let i = 0; i < 5; i++) expect(await project.read('a')).not.toBeNull()
  for (const answer of await Promise.all(hostile)) expect([413, 503]).toContain(answer.status)
  const status = await Bun.file(`/proc/${server.processId}/status`)
    .text()
    .catch(() => '')
  const peakKibibytes = Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0)
  expect(peakKibibytes).toBeLessThan(1.5 * 1024 * 1024)
}, 120_000)

describe('before a body is read', () => {
  const broken = new Uint8Array(gzipSync('{"project_id":'))

  test('the role of the key is checked', async () => {
    expectRefusal(await post('/call/upsert_batch', broken), 403)
    expect((await post('/call/upsert_batch', broken, writeKey)).status).toBe(422)
    expect((await post('/calls/query_stats', broken)).status).toBe(422)
  })

  test('the project in the path is checked', async () => {
    expectRefusal(await post('/v2/acme/bot/call/start', broken, writeKey), 403)
    expect((await post('/v2/other/project/call/start', broken, writeKey)).status).toBe(422)
  })

  test('the project in a large body is checked, before its value is built', async () => {
    const rows = `"rows":[${'1,'.repeat(2 * MiB)}1`
    const body = (project: string) => new Uint8Array(gzipSync(`{"project_id":"${project}",${rows}]}`))
    expectRefusal(await post('/calls/query_stats', body('acme/bot')), 403)
    expect((await post('/calls/query_stats', body('other/project'))).status).toBe(200)
  })
})

test('a large body with many errors is rejected with the first of them', async () => {
  const filter = `{"op_names":[${'1,'.repeat(3 * MiB)}1]}`
  const body = new Uint8Array(gzipSync(`{"project_id":"other/project","filter":${filter}}`))
  const answer = await post('/calls/query_stats', body)
  expect(answer.status).toBe(422)
  expect((answer.json as { detail: unknown[] }).detail.length).toBeLessThanOrEqual(20)
}, 120_000)

test('large bodies of valid calls and rows are accepted', async () => {
  const project = freshProject(client)
  const at = '2026-01-01T00:00:00Z'
  const batch = Array.from({ length: 50_000 }, (_, i) => {
    const start = { project_id: project.id, id: `c${i}`, trace_id: `c${i}`, op_name: 'ask', started_at: at }
    return { mode: 'start', req: { start: { ...start, attributes: {}, inputs: { question: `q${i}`, n: i } } } }
  })
  expect((await client.post('/call/upsert_batch', { batch })).status).toBe(200)
  const rows = Array.from({ length: 200_000 }, (_, i) => ({ n: i, text: `row ${i}` }))
  expect((await client.post('/table/create', { table: { project_id: project.id, rows } })).status).toBe(200)
}, 120_000)
