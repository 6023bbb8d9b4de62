import { describe, expect, test } from 'bun:test'
import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { codecs, contentTypes, encodings, exportOf, groupOf, sendRaw, spanOf } from '../support/otlp.ts'
import { logExportOf, logGroupOf, logsToProtobuf, queryLogs, recordOf, sendLogs } from '../support/otlp-logs.ts'
import { freshProject, ownServer } from '../support/target.ts'

const server = await ownServer({ env: { TRACELAKE_MAX_BODY_MB: '1' } })
const { client } = server
const MiB = 1024 * 1024

const headersOf = ({ id }: { id: string }) => ({ project_id: id })
const bytesOf = (body: Record<string, unknown>, encoding: 'protobuf' | 'json'): Uint8Array<ArrayBuffer> =>
  encoding === 'json' ? new TextEncoder().encode(JSON.stringify(body)) : logsToProtobuf(body)

describe.each(encodings)('an export of logs in %s', (encoding) => {
  test.each(['/otel/v1/logs', '/v1/logs'])('is accepted at %s and answered in the same encoding', async (path) => {
    const project = freshProject(client)
    const body = logExportOf(logGroupOf([recordOf(), recordOf({ body: 'other' })]))
    const sent = await sendLogs(client, body, encoding, { path, headers: headersOf(project) })
    expect(sent).toMatchObject({ status: 200, rejected: 0, message: '' })
    expect(sent.answer.headers.get('content-type')).toBe(contentTypes[encoding])
    expect(sent.answer.text).toBe(encoding === 'json' ? '{}' : '')
    expect(await queryLogs(client, project.id)).toHaveLength(2)
  })

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['zstd', zstdCompressSync],
  ] as const)('may be compressed with %s', async (name, compress) => {
    const project = freshProject(client)
    const bytes = new Uint8Array(compress(bytesOf(logExportOf(logGroupOf([recordOf()])), encoding)))
    const headers = { ...headersOf(project), 'content-encoding': name }
    expect(await sendRaw(client, bytes, encoding, { path: '/v1/logs', headers })).toMatchObject({ status: 200 })
    expect(await queryLogs(client, project.id)).toHaveLength(1)
  })

  test('that inflates beyond the limit is rejected', async () => {
    const headers = { ...headersOf(freshProject(client)), 'content-encoding': 'gzip' }
    const bomb = new Uint8Array(gzipSync(new Uint8Array(4 * MiB)))
    expect((await sendRaw(client, bomb, encoding, { path: '/v1/logs', headers })).status).toBe(413)
  })

  test('may be empty', async () => {
    expect(await sendLogs(client, logExportOf(), encoding)).toMatchObject({ status: 200, rejected: 0 })
  })

  test('is stored with everything that a record says', async () => {
    const project = freshProject(client)
    const record = recordOf({
      observed: '1714557601000000000',
      severity: 17,
      severityText: 'Error',
      event: 'disk.full',
      body: { text: 'No space', list: [1, 2.5, null, true], api_key: 'sk-secret' },
      attributes: { 'session.id': 's1', 'disk.free': 0, 'disk.name': 'sda', big: 9_007_199_254_740_993n },
      traceId: '0af7651916cd43dd8448eb211c80319c',
      spanId: 'b7ad6b7169203331',
    })
    const body = logExportOf(logGroupOf([record], { 'service.name': 'backup', 'host.name': 'a' }))
    await sendLogs(client, body, encoding, { headers: headersOf(project) })
    expect(await queryLogs(client, project.id)).toEqual([
      expect.objectContaining({
        project_id: project.id,
        time: '2024-05-01T10:00:00.123456Z',
        observed_at: '2024-05-01T10:00:01Z',
        trace_id: '0af7651916cd43dd8448eb211c80319c',
        span_id: 'b7ad6b7169203331',
        call_id: 'b7ad6b7169203331',
        thread_id: 's1',
        turn_id: null,
        event_name: 'disk.full',
        severity_number: 17,
        severity_text: 'Error',
        service_name: 'backup',
        body: { text: 'No space', list: [1, 2.5, null, true], api_key: 'REDACTED' },
        attributes: expect.objectContaining({ session: { id: 's1' }, disk: { free: 0, name: 'sda' } }),
        resource: { service: { name: 'backup' }, host: { name: 'a' } },
        scope: { name: 'a-library', version: '1.2.3', attributes: {} },
      }),
    ])
  })

  test('sent twice is stored once, equal records of one request are all stored', async () => {
    const project = freshProject(client)
    const body = logExportOf(logGroupOf([recordOf({ body: 'a' }), recordOf({ body: 'a' }), recordOf({ body: 'b' })]))
    await sendLogs(client, body, encoding, { headers: headersOf(project) })
    const before = await queryLogs(client, project.id)
    expect(before).toHaveLength(3)
    await sendLogs(client, body, encoding, { headers: headersOf(project) })
    expect(await queryLogs(client, project.id)).toEqual(before)
  })

  test('may be of several projects; records without one are rejected', async () => {
    const [one, two] = [freshProject(client), freshProject(client)]
    const resource = { 'ext.entity': one.entity, 'ext.project': one.name }
    const body = logExportOf(logGroupOf([recordOf()], resource), logGroupOf([recordOf()]))
    expect(await sendLogs(client, body, encoding)).toMatchObject({ status: 200, rejected: 1 })
    expect(await sendLogs(client, body, encoding, { headers: headersOf(two) })).toMatchObject({ rejected: 0 })
    expect(await queryLogs(client, one.id)).toHaveLength(1)
    expect(await queryLogs(client, two.id)).toHaveLength(1)
    expect((await sendLogs(client, logExportOf(logGroupOf([recordOf()])), encoding)).status).toBe(400)
  })

  test('of another project than the key’s is refused', async () => {
    const narrow = await server.createKey({ name: 'narrow', role: 'write', scope: 'narrow' })
    const reader = await server.createKey({ name: 'reader', role: 'read', scope: '*' })
    const body = logExportOf(logGroupOf([recordOf()]))
    const headers = headersOf(freshProject(client))
    for (const key of [narrow, reader]) {
      expect((await sendLogs(client, body, encoding, { key, headers })).status).toBe(403)
    }
    expect((await sendLogs(client, body, encoding, { key: null, headers })).status).toBe(401)
  })
})

const damaged: Readonly<Record<string, unknown>> = {
  'a text': 'record',
  null: null,
  'attributes as an object': { ...recordOf(), attributes: { a: 1 } },
  'a body that is a text': { ...recordOf(), body: 'b' },
  'a time that is a date': { ...recordOf(), timeUnixNano: '2024-05-01T10:00:00Z' },
  'a severity of no name': { ...recordOf(), severityNumber: 'LOUD' },
  'an id in base64': { ...recordOf(), traceId: 'q6urq6urq6urq6urq6urqw==' },
}

test.each(Object.entries(damaged))('a record that is or has %s is rejected alone', async (_name, record) => {
  const project = freshProject(client)
  const body = logExportOf(logGroupOf([recordOf({ body: 1 }), record, recordOf({ body: 2 })]))
  const sent = await sendLogs(client, body, 'json', { headers: headersOf(project) })
  expect(sent).toMatchObject({ status: 200, rejected: 1 })
  expect(sent.message).not.toBe('')
  expect(await queryLogs(client, project.id)).toHaveLength(2)
})

test('a record without times gets the time at which it is received', async () => {
  const project = freshProject(client)
  const record = { body: { stringValue: 'now' }, severityNumber: 'SEVERITY_NUMBER_WARN2' }
  await sendLogs(client, logExportOf(logGroupOf([record])), 'json', { headers: headersOf(project) })
  const [log] = await queryLogs(client, project.id)
  expect(log).toMatchObject({ severity_number: 14, observed_at: null, trace_id: null, call_id: null })
  expect(Math.abs(Date.parse(log!.time) - Date.now())).toBeLessThan(600_000)
})

test('an export of spans is refused', async () => {
  const json = JSON.stringify(exportOf(groupOf([spanOf()])))
  expect((await sendRaw(client, json, 'json', { path: '/v1/logs' })).status).toBe(400)
  const { status, answer } = await sendRaw(client, new TextEncoder().encode('nonsense'), 'protobuf', {
    path: '/v1/logs',
  })
  expect(status).toBe(400)
  expect(codecs['Refusal']!.decode(answer.bytes)['message']).toContain('not an export of logs')
})
