import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { status } from '@grpc/grpc-js'
import type { Client } from '../support/client.ts'
import { upload } from '../support/files.ts'
import { GrpcClient } from '../support/grpc.ts'
import { encodings, exportOf, groupOf, send, spanOf, toProtobuf } from '../support/otlp.ts'
import { Project } from '../support/project.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { makeTempFolder, removeFolder } from '../support/temp-folder.ts'

const adminKey = 'd'.repeat(40)
const data = await makeTempFolder()
afterAll(() => removeFolder(data))

/** More than any disk has. */
const noSpace = { TRACELAKE_MIN_FREE_MB: '1048576' }
const refusal = {
  reason: expect.stringMatching(/the disk is almost full \(\d+ MiB are free, 1048576 MiB are reserved\)/),
  error_type: 'InsufficientStorage',
}
const call = { id: 'kept', op_name: 'op', started_at: '2024-05-01T10:00:00Z', ended_at: '2024-05-01T10:00:01Z' }
const projectOf = (client: Client) => new Project(client, 'full', 'disk')

beforeAll(async () => {
  const server = await startServer({ data, adminKey })
  const project = projectOf(server.client)
  await project.complete(call, { ...call, id: 'deleted' })
  await server.stop()
})

describe.each(['ext', 'weave'])('a server on a disk that is almost full, in the dialect %s', (dialect) => {
  let server: ServerProcess
  let project: Project

  beforeAll(async () => {
    server = await startServer({ data, adminKey, env: { ...noSpace, TRACELAKE_DIALECT: dialect } })
    project = projectOf(server.client)
  })
  afterAll(async () => {
    await server.stop()
  })

  test('refuses writes with 507, the reason and when to try again', async () => {
    const start = { project_id: project.id, id: 'refused', op_name: 'op', trace_id: 't', attributes: {}, inputs: {} }
    const body = { start: { ...start, started_at: call.started_at } }
    const answer = await server.client.post('/call/start', body)
    expect(answer).toMatchObject({ status: 507, json: refusal })
    expect(answer.headers.get('retry-after')).toBe('5')
    const sent = await upload(project, { content: 'content' })
    expect([sent.status, JSON.parse(sent.text)]).toEqual([507, refusal])
  })

  test('answers reads', async () => {
    expect(await project.idsOf({ columns: ['id'] })).toContain('kept')
    expect(await project.readExisting('kept')).toMatchObject({ op_name: 'op' })
  })

  test('is reported by /health', async () => {
    const { status: code, json } = await server.client.get('/health')
    expect([code, json]).toEqual([503, { ...refusal, error_type: 'StoreUnavailable' }])
  })

  test.each([...encodings])('tells exporters that speak %s to try again', async (encoding) => {
    const sent = await send(server.client, exportOf(groupOf([spanOf()])), encoding, {
      headers: { project_id: project.id },
    })
    expect(sent.status).toBe(503)
    expect(sent.answer.headers.get('retry-after')).toBe('5')
    expect(sent.answer.text).toContain('the disk is almost full')
  })

  test('tells exporters over gRPC to try again', async () => {
    const grpc = new GrpcClient(server.grpcAddress)
    const metadata = { authorization: `Bearer ${adminKey}`, project_id: project.id }
    const answer = await grpc.call(toProtobuf(exportOf(groupOf([spanOf()]))), { metadata })
    expect(answer).toMatchObject({ code: status.UNAVAILABLE, message: expect.stringContaining('almost full') })
    grpc.close()
  })
})

test('deletions are accepted on a disk that is almost full', async () => {
  const server = await startServer({ data, adminKey, env: noSpace })
  const project = projectOf(server.client)
  expect(await project.delete('deleted')).toBe(1)
  expect(await project.idsOf({ columns: ['id'] })).toEqual(['kept'])
  await server.stop()
})
