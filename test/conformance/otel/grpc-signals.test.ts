import { afterAll, describe, expect, test } from 'bun:test'
import { status } from '@grpc/grpc-js'
import { claudeSession, exportOfSession } from '../agents/agent-events.ts'
import { GrpcClient, logsPath, metricsPath } from '../support/grpc.ts'
import { binary, codecs } from '../support/otlp.ts'
import { logExportOf, logGroupOf, logsToProtobuf, queryLogs, recordOf } from '../support/otlp-logs.ts'
import { freshProject, ownServer } from '../support/target.ts'

const server = await ownServer()
const { client } = server
const grpc = new GrpcClient(server.grpcAddress)
afterAll(() => grpc.close())
const metadataOf = ({ id }: { readonly id: string }) => ({
  authorization: `Bearer ${server.adminKey}`,
  project_id: id,
})

describe('logs over gRPC', () => {
  test.each([false, true])('are stored as over HTTP (compressed: %p)', async (isCompressed) => {
    const project = freshProject(client)
    const message = logsToProtobuf(logExportOf(logGroupOf([recordOf({ body: 'one' }), recordOf({ body: 'two' })])))
    const answer = await grpc.call(message, { path: logsPath, metadata: metadataOf(project), isCompressed })
    expect(answer).toMatchObject({ code: status.OK, bytes: Buffer.alloc(0) })
    expect((await queryLogs(client, project.id)).map(({ body }) => body).sort()).toEqual(['one', 'two'])
  })

  test('that are events of a coding agent become calls', async () => {
    const project = freshProject(client)
    const session = claudeSession('over-grpc')
    const message = logsToProtobuf(exportOfSession(session, session.records) as never)
    expect(await grpc.call(message, { path: logsPath, metadata: metadataOf(project) })).toMatchObject({ code: 0 })
    const calls = await project.query()
    expect(calls.filter(({ id, turn_id }) => id === turn_id)).toHaveLength(2)
    expect(new Set(calls.map(({ thread_id }) => thread_id))).toEqual(new Set(['over-grpc']))
  })

  test('that cannot be stored are counted in the partial success', async () => {
    const project = freshProject(client)
    const [entity, name] = project.id.split('/')
    const owned = logGroupOf([recordOf({ body: 'good' })], { 'ext.entity': entity, 'ext.project': name })
    const message = logsToProtobuf(logExportOf(owned, logGroupOf([recordOf({ body: 'whose?' })])))
    const { authorization } = metadataOf(project)
    const answer = await grpc.call(message, { path: logsPath, metadata: { authorization } })
    expect(answer.code).toBe(status.OK)
    // The answers of all signals have the same numbers of members.
    const { partialSuccess } = codecs['ExportResponse']!.decode(answer.bytes)
    expect(Number(partialSuccess?.rejectedSpans)).toBe(1)
    expect(await queryLogs(client, project.id)).toHaveLength(1)
  })
})

describe('metrics over gRPC', () => {
  const dataPoints = [1, 2, 3].map((asDouble) => ({ timeUnixNano: '1767225600000000000', asDouble }))
  const metric = codecs['Metric']!.encode(binary({ name: 'count', gauge: { dataPoints } })).finish()
  const message = codecs['MetricsRequest']!.encode({ resourceMetrics: [{ scopeMetrics: [{ metrics: [metric] }] }] })

  test.each([false, true])('are stored as over HTTP (compressed: %p)', async (isCompressed) => {
    const project = freshProject(client)
    const answer = await grpc.call(message.finish(), { path: metricsPath, metadata: metadataOf(project), isCompressed })
    expect(answer).toMatchObject({ code: status.OK, bytes: Buffer.alloc(0) })
    const { text } = await client.post('/metrics/query', { project_id: project.id, fields: ['name', 'value'] })
    const rows = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { name: string; value: number })
    expect(rows.map(({ value }) => value).sort()).toEqual([1, 2, 3])
  })
})

test.each([logsPath, metricsPath])('%s needs a key and an export', async (path) => {
  const message = logsToProtobuf(logExportOf(logGroupOf([recordOf()])))
  expect(await grpc.call(message, { path })).toMatchObject({ code: status.UNAUTHENTICATED })
  const metadata = metadataOf(freshProject(client))
  expect(await grpc.call(new Uint8Array([255, 255]), { path, metadata })).toMatchObject({
    code: status.INVALID_ARGUMENT,
  })
})
