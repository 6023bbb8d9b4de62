import { afterAll, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { status } from '@grpc/grpc-js'
import { GrpcClient } from '../support/grpc.ts'
import { metricsExport } from '../support/metrics.ts'
import { contentTypes, encodings, exportOf, groupOf, send, spanOf, toProtobuf } from '../support/otlp.ts'
import { Project } from '../support/project.ts'
import { runServerToItsEnd } from '../support/server-process.ts'
import { ownServer } from '../support/target.ts'
import { makeTempFolder, removeFolder } from '../support/temp-folder.ts'

const server = await ownServer({ env: { TRACELAKE_LOCAL: 'on' } })
const { client } = server
const grpc = new GrpcClient(server.grpcAddress)
afterAll(() => grpc.close())

const spansOf = (service: Record<string, unknown>) => exportOf(groupOf([spanOf()], service))
const callsIn = async (name: string) => await new Project(client, 'default', name).query()

describe.each(encodings)('without a key, spans in %s', (encoding) => {
  test.each([
    [{ 'service.name': `bot-${encoding}` }, `bot-${encoding}`],
    [{ 'service.name': `my bot/${encoding} \u{1f319}` }, `my-bot-${encoding}-`],
    [{ 'service.name': '..' }, '--'],
    [{ 'service.name': `${encoding}${'x'.repeat(300)}` }, `${encoding}${'x'.repeat(300)}`.slice(0, 128)],
    [{}, 'unknown_service'],
  ])('of the service %p go to the project default/%s', async (service, name) => {
    const before = (await callsIn(name)).length
    expect(await send(client, spansOf(service), encoding, { key: null })).toMatchObject({ status: 200, rejected: 0 })
    expect(await callsIn(name)).toHaveLength(before + 1)
  })

  test('may name a project of the entity default, but of no other', async () => {
    const body = spansOf({ 'service.name': 'bot' })
    const sent = async (project_id: string) =>
      (await send(client, body, encoding, { key: null, headers: { project_id } })).status
    expect(await sent(`default/named-${encoding}`)).toBe(200)
    expect(await sent('acme/bot')).toBe(403)
    expect(await callsIn(`named-${encoding}`)).toHaveLength(1)
  })
})

test('metrics need no key either', async () => {
  const body = JSON.stringify(metricsExport([]))
  const headers = { 'content-type': contentTypes.json }
  expect((await client.postRaw('/v1/metrics', body, { key: null, headers })).status).toBe(200)
})

test('gRPC needs no key either', async () => {
  expect(await grpc.call(toProtobuf(spansOf({ 'service.name': 'over-grpc' })))).toMatchObject({ code: status.OK })
  expect(await callsIn('over-grpc')).toHaveLength(1)
  const behindProxy = await grpc.call(toProtobuf(spansOf({})), { metadata: { 'x-forwarded-for': '10.0.0.1' } })
  expect(behindProxy.code).toBe(status.UNAUTHENTICATED)
})

test('everything else does', async () => {
  expect((await client.post('/calls/stream_query', { project_id: 'default/bot' }, { key: null })).status).toBe(401)
})

test('a key that is sent must be valid', async () => {
  expect((await send(client, spansOf({}), 'json', { key: 'wrong' })).status).toBe(401)
  expect((await send(client, spansOf({}), 'json', { key: null, headers: { authorization: 'x' } })).status).toBe(401)
})

test.each([
  ['of web pages', { origin: 'https://evil.example' }, 'web page'],
  ['of web pages on this machine', { origin: 'http://localhost:3000' }, 'web page'],
  ['of browsers', { 'sec-fetch-site': 'same-origin' }, 'web page'],
  ['that a proxy passes on', { 'x-forwarded-for': '203.0.113.1' }, 'proxy'],
])('requests %s are refused', async (_, headers, reason) => {
  const { status: code, message } = await send(client, spansOf({}), 'json', { key: null, headers })
  expect(code).toBe(401)
  expect(message).toContain(reason)
})

test.each([
  ['evil.example', '401'],
  ['evil.example:8470', '401'],
  ['127.0.0.1.evil.example', '401'],
  ['localhost', '200'],
  ['127.0.0.1:8470', '200'],
  ['[::1]:8470', '200'],
])('a request to the host %s is answered with %s', async (host, code) => {
  const { hostname, port } = new URL(client.address)
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(
        `POST /v1/traces HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n` +
          'Content-Length: 2\r\nConnection: close\r\n\r\n{}',
      ),
    )
    let text = ''
    socket.on('data', (bytes) => {
      text += bytes.toString()
    })
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
  })
  expect(answer.split(' ')[1]).toBe(code)
})

test('a server on an address that others can reach does not start', async () => {
  const folder = await makeTempFolder()
  const { exitCode, output } = await runServerToItsEnd(folder, { TRACELAKE_LOCAL: 'on' }, '0.0.0.0')
  expect(exitCode).toBe(2)
  expect(output).toContain('--local is for this machine only')
  await removeFolder(folder)
})
