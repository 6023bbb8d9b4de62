import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { status } from '@grpc/grpc-js'
import { GrpcClient, tracesPath } from '../support/grpc.ts'
import { codecs, exportOf, groupOf, spanOf, toProtobuf } from '../support/otlp.ts'
import { freshProject, ownServer } from '../support/target.ts'

const server = await ownServer({ env: { TRACELAKE_MAX_BODY_MB: '1' } })
const { client } = server
const grpc = new GrpcClient(server.grpcAddress)
const authorization = `Bearer ${server.adminKey}`
let narrow: string
let reader: string

beforeAll(async () => {
  narrow = await server.createKey({ name: 'narrow', role: 'write', scope: 'narrow' })
  reader = await server.createKey({ name: 'reader', role: 'read', scope: '*' })
})

afterAll(() => grpc.close())

const spans = (count: number) => toProtobuf(exportOf(groupOf(Array.from({ length: count }, () => spanOf()))))

describe('spans over gRPC', () => {
  test.each([false, true])('are stored as over HTTP (compressed: %p)', async (isCompressed) => {
    const project = freshProject(client)
    const answer = await grpc.call(spans(3), { metadata: { authorization, project_id: project.id }, isCompressed })
    expect(answer).toMatchObject({ code: status.OK, bytes: Buffer.alloc(0) })
    expect(await project.query()).toHaveLength(3)
  })

  test('sent twice are stored once', async () => {
    const project = freshProject(client)
    const metadata = { authorization, project_id: project.id }
    const message = spans(2)
    await Promise.all([grpc.call(message, { metadata }), grpc.call(message, { metadata })])
    expect(await project.query()).toHaveLength(2)
  })

  test('that cannot be stored are counted in the partial success', async () => {
    const project = freshProject(client)
    const message = toProtobuf(exportOf(groupOf([spanOf(), { ...spanOf(), traceId: 'ab' }])))
    const answer = await grpc.call(message, { metadata: { authorization, project_id: project.id } })
    const { partialSuccess } = codecs['ExportResponse']!.decode(answer.bytes)
    expect(Number(partialSuccess?.rejectedSpans)).toBe(1)
    expect(partialSuccess?.errorMessage).toContain('trace ab')
    expect(await project.query()).toHaveLength(1)
  })

  test('are rejected one by one in large exports, too', async () => {
    const project = freshProject(client)
    const metadata = { authorization, project_id: project.id }
    const padding = 'x'.repeat(40_000)
    // The server prepares large exports in threads as soon as one has started.
    for (let sent = 1; sent <= 8; sent++) {
      const large = spanOf({ attributes: { padding } })
      const message = toProtobuf(exportOf(groupOf([large, { ...spanOf(), traceId: 'ab' }])))
      const answer = await grpc.call(message, { metadata, isCompressed: sent % 2 === 0 })
      const { partialSuccess } = codecs['ExportResponse']!.decode(answer.bytes)
      expect(Number(partialSuccess?.rejectedSpans)).toBe(1)
      expect(await project.query()).toHaveLength(sent)
    }
  })

  test('may be none', async () => {
    expect(await grpc.call(new Uint8Array(), { metadata: { authorization } })).toMatchObject({ code: status.OK })
  })

  test.each([
    ['a basic password', () => ({ authorization: `Basic ${btoa(`api:${server.adminKey}`)}` })],
    ['ext-api-key', () => ({ 'ext-api-key': server.adminKey })],
    ['wandb-api-key', () => ({ 'wandb-api-key': server.adminKey })],
  ])('may bring their key as %s', async (_, key) => {
    const project = freshProject(client)
    const answer = await grpc.call(spans(1), { metadata: { ...key(), project_id: project.id } })
    expect(answer.code).toBe(status.OK)
    expect(await project.query()).toHaveLength(1)
  })

  test('are counted among the requests', async () => {
    const { text } = await client.get('/metrics')
    expect(text).toMatch(/tracelake_requests_total\{operation="otel.exportTracesGrpc",status="200"\} [1-9]/)
  })
})

describe('a call is refused', () => {
  test.each([
    ['without a key', () => ({}), status.UNAUTHENTICATED, 'requires an API key'],
    ['with a wrong key', () => ({ authorization: 'Bearer wrong' }), status.UNAUTHENTICATED, 'Invalid API key'],
    [
      'with a key for reading',
      () => ({ authorization: `Bearer ${reader}`, project_id: 'a/b' }),
      status.PERMISSION_DENIED,
      'requires the role "write"',
    ],
    [
      'outside the scope of its key',
      () => ({ authorization: `Bearer ${narrow}`, project_id: 'wide/b' }),
      status.PERMISSION_DENIED,
      'no access to the project',
    ],
    ['without a project', () => ({ authorization }), status.INVALID_ARGUMENT, 'No project given'],
    [
      'with a malformed project',
      () => ({ authorization, project_id: 'a/b/c' }),
      status.INVALID_ARGUMENT,
      'Invalid project_id',
    ],
  ])('%s', async (_, metadata, code, message) => {
    const answer = await grpc.call(spans(1), { metadata: metadata() })
    expect(answer.code).toBe(code)
    expect(answer.message).toContain(message)
    expect(answer.details).toBeUndefined()
  })

  test('before its message has arrived', async () => {
    // Larger than any message may be: only what precedes it was read.
    const answer = await grpc.call(new Uint8Array(2_000_000), { metadata: { authorization: 'Bearer wrong' } })
    expect(answer.code).toBe(status.UNAUTHENTICATED)
  })

  test('with a message that is not an export', async () => {
    const message = new TextEncoder().encode('this is not protobuf')
    const answer = await grpc.call(message, { metadata: { authorization, project_id: 'a/b' } })
    expect(answer).toMatchObject({ code: status.INVALID_ARGUMENT })
    expect(answer.message).toContain('not an export of traces')
  })

  test.each([false, true])('with a message beyond the limit, for good (compressed: %p)', async (isCompressed) => {
    const answer = await grpc.call(new Uint8Array(2_000_000), { metadata: { authorization }, isCompressed })
    expect(answer).toMatchObject({ code: status.RESOURCE_EXHAUSTED, details: undefined })
  })

  test.each(['/opentelemetry.proto.collector.trace.v1.TraceService/Import', '/grpc.health.v1.Health/Check', '/x'])(
    'at the unknown method %s',
    async (path) => {
      expect(await grpc.call(spans(1), { path, metadata: { authorization } })).toMatchObject({
        code: status.UNIMPLEMENTED,
      })
    },
  )

  test('with RetryInfo if wrong keys came too often', async () => {
    const own = await ownServer()
    const wrong = { authorization: `Bearer ${'0'.repeat(40)}` }
    const other = new GrpcClient(own.grpcAddress)
    try {
      // Attempts are forgiven with time, so a slow machine needs more of them.
      let details: Uint8Array | undefined
      while (details === undefined) {
        const answers = await Promise.all(
          Array.from({ length: 80 }, () => other.call(new Uint8Array(), { metadata: wrong })),
        )
        details = answers.find(({ code }) => code === status.RESOURCE_EXHAUSTED)?.details
      }
      expect(Buffer.from(details).toString('latin1')).toContain('type.googleapis.com/google.rpc.RetryInfo')
    } finally {
      other.close()
    }
  })
})

test('a call whose deadline has passed stores nothing more than it had', async () => {
  const project = freshProject(client)
  const answer = await grpc.call(spans(1), {
    metadata: { authorization, project_id: project.id },
    deadlineMs: 0,
    path: tracesPath,
  })
  expect(answer.code).toBe(status.DEADLINE_EXCEEDED)
  expect(await project.query()).toHaveLength(0)
})
