import { describe, expect, test } from 'bun:test'
import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import {
  codecs,
  contentTypes,
  encodings,
  exportOf,
  groupOf,
  send,
  sendRaw,
  spanOf,
  toProtobuf,
} from '../support/otlp.ts'
import { freshProject, ownServer } from '../support/target.ts'

const server = await ownServer({ env: { TRACELAKE_MAX_BODY_MB: '1' } })
const { client } = server
const MiB = 1024 * 1024

const bytesOf = (body: Record<string, unknown>, encoding: 'protobuf' | 'json'): Uint8Array<ArrayBuffer> =>
  encoding === 'json' ? new TextEncoder().encode(JSON.stringify(body)) : toProtobuf(body)

describe.each(encodings)('an export in %s', (encoding) => {
  test.each(['/otel/v1/traces', '/v1/traces', '/otel/v1/trace', '/agents/otel/v1/traces'])(
    'is accepted at %s and answered in the same encoding',
    async (path) => {
      const project = freshProject(client)
      const sent = await send(client, exportOf(groupOf([spanOf(), spanOf()])), encoding, {
        path,
        headers: { project_id: project.id },
      })
      expect(sent).toMatchObject({ status: 200, rejected: 0, message: '' })
      expect(sent.answer.headers.get('content-type')).toBe(contentTypes[encoding])
      expect(sent.answer.text).toBe(encoding === 'json' ? '{}' : '')
      expect(await project.query()).toHaveLength(2)
    },
  )

  test('may have parameters in its content type', async () => {
    const project = freshProject(client)
    const type = `${contentTypes[encoding].toUpperCase()} ; charset=utf-8`
    const headers = { project_id: project.id, 'content-type': type }
    expect((await send(client, exportOf(groupOf([spanOf()])), encoding, { headers })).status).toBe(200)
    expect(await project.query()).toHaveLength(1)
  })

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['zstd', zstdCompressSync],
  ] as const)('may be compressed with %s', async (name, compress) => {
    const project = freshProject(client)
    const bytes = new Uint8Array(compress(bytesOf(exportOf(groupOf([spanOf()])), encoding)))
    const headers = { project_id: project.id, 'content-encoding': name }
    expect(await sendRaw(client, bytes, encoding, { headers })).toMatchObject({ status: 200, rejected: 0 })
    expect(await project.query()).toHaveLength(1)
  })

  test('that inflates beyond the limit is rejected', async () => {
    const headers = { project_id: freshProject(client).id, 'content-encoding': 'gzip' }
    const bomb = new Uint8Array(gzipSync(new Uint8Array(4 * MiB)))
    expect((await sendRaw(client, bomb, encoding, { headers })).status).toBe(413)
  })

  test('may be empty', async () => {
    expect(await send(client, exportOf(), encoding)).toMatchObject({ status: 200, rejected: 0 })
  })

  test.each(['ext-api-key', 'wandb-api-key'])('may send its key in the header %s', async (name) => {
    const project = freshProject(client)
    const headers = { project_id: project.id, [name]: client.key }
    const body = exportOf(groupOf([spanOf()]))
    expect((await send(client, body, encoding, { key: null, headers })).status).toBe(200)
    expect((await send(client, body, encoding, { key: null, headers: { ...headers, [name]: 'no' } })).status).toBe(401)
    expect(await project.query()).toHaveLength(1)
  })

  test('sent twice is stored once', async () => {
    const project = freshProject(client)
    const body = exportOf(groupOf([spanOf({ attributes: { input: 'a' } })]))
    await send(client, body, encoding, { headers: { project_id: project.id } })
    const [before] = await project.query()
    await send(client, body, encoding, { headers: { project_id: project.id } })
    expect(await project.query()).toEqual([before!])
  })
})

describe('a rejected export', () => {
  test('sent in protobuf gets a protobuf status', async () => {
    const bytes = new TextEncoder().encode('this is not protobuf')
    const { status, answer } = await sendRaw(client, bytes, 'protobuf')
    expect(status).toBe(400)
    expect(answer.headers.get('content-type')).toBe('application/x-protobuf')
    const refusal = codecs['Refusal']!.decode(answer.bytes)
    expect(refusal['code']).toBe(3)
    expect(refusal['message']).toContain('not an export of traces')
  })

  test('sent in JSON gets a JSON status', async () => {
    const { status, answer } = await sendRaw(client, '{"resourceSpans": [', 'json')
    expect(status).toBe(400)
    expect(answer.json).toMatchObject({ error_type: 'InvalidRequest' })
  })

  test.each(['text/plain', 'application/xml', 'application/json-lines'])(
    'has the unsupported content type %s',
    async (type) => {
      const answer = await client.postRaw('/otel/v1/traces', '{}', { headers: { 'content-type': type } })
      expect(answer.status).toBe(415)
    },
  )

  test.each([
    ['logs', '{"resourceLogs": [{"scopeLogs": []}]}'],
    ['metrics', '{"resourceMetrics": []}'],
    ['a list', '[]'],
    ['a text', '"spans"'],
    ['null', 'null'],
    ['an object for the list', '{"resourceSpans": {}}'],
    ['nothing', ''],
  ])('contains %s', async (_name, text) => {
    expect((await sendRaw(client, text, 'json', { headers: { project_id: 'a/b' } })).status).toBe(400)
  })

  test('is nested as deeply as its size allows', async () => {
    for (const text of ['['.repeat(900_000), `{"resourceSpans":${'['.repeat(400_000)}${']'.repeat(400_000)}}`]) {
      expect((await sendRaw(client, text, 'json', { headers: { project_id: 'a/b' } })).status).toBeOneOf([400, 413])
    }
  })
})
