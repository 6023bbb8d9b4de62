import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { GrpcClient } from '../conformance/support/grpc.ts'
import { until } from '../conformance/support/until.ts'
import { occupy } from '../executable/occupy.ts'
import { renewedLease } from '../lake/renewed-lease.ts'
import { idsOf, store } from './lake-nodes.ts'
import { type NodesInS3, startNodesInS3 } from './nodes-in-s3.ts'

setDefaultTimeout(300_000)

let server: NodesInS3['server']
let nodes: NodesInS3['nodes']
let stop: NodesInS3['stop']
beforeEach(async () => {
  ;({ server, nodes, stop } = await startNodesInS3('s3://lake/a'))
})
afterEach(() => stop())

test('a standby says whether it waits for another node or for the store', async () => {
  const renewed = renewedLease(server, 'a')
  server.fault = renewed
  const standby = await (await nodes.start()).waiting()
  const reason = async () => (await standby.get<{ reason: string }>('/health')).json.reason
  expect(await reason()).toContain('another node serves this lake')
  server.fault = () => 'do nothing'
  await until(async () => (await reason()).includes('the object store does not answer'))
  server.fault = renewed
  await until(async () => (await reason()).includes('another node serves this lake'))
})

test('a port for gRPC that is taken is noticed at the start, and a standby refuses calls there', async () => {
  server.fault = renewedLease(server, 'a')
  using taken = occupy(0)
  const second = await nodes.start({ TRACELAKE_GRPC_PORT: String(taken.port) })
  expect(await second.exited).toBe(2)
  expect(await second.kill()).toContain(`Cannot listen on 127.0.0.1:${taken.port}: the port is in use`)
  const third = await nodes.start({ TRACELAKE_GRPC_PORT: '0' })
  await third.waiting()
  const grpc = new GrpcClient(third.grpcAddress)
  const refused = await grpc.call(new Uint8Array())
  expect([refused.code, refused.message]).toEqual([14, expect.stringContaining('another node serves this lake')])
  expect(refused.details).toBeDefined()
  server.fault = () => undefined
  await third.listening()
  // It asks for a key, as every node that serves, once it is sure of its lease.
  await until(async () => (await grpc.call(new Uint8Array())).code === 16)
  grpc.close()
})

test('a node that is stopped while the store is away ends soon, and the next one has all rows', async () => {
  const owner = await nodes.start()
  expect(await store(await owner.listening(), 'accepted')).toBe(true)
  server.fault = () => 'do nothing'
  await owner.stop()
  expect(await owner.kill()).toMatch(/the rows stay in the log|this node stops without it: accepted rows/)
  server.fault = () => undefined
  const next = await nodes.start()
  expect(await idsOf(await next.listening())).toEqual(['accepted'])
})

test('a commit whose outcome is not known does not keep a node from ending', async () => {
  const owner = await nodes.start()
  expect(await store(await owner.listening(), 'accepted')).toBe(true)
  let isAway = false
  server.fault = ({ method, url }) => {
    isAway ||= method === 'PUT' && url.includes('/calls/_delta_log/')
    return isAway ? 'do nothing' : undefined
  }
  expect(await owner.stop()).toBe(1)
  expect(await owner.kill()).toContain('this node stops without it: accepted rows that are in no data file yet')
  server.fault = () => undefined
  const next = await nodes.start()
  expect(await idsOf(await next.listening())).toEqual(['accepted'])
})

test('a read gets 503 with Retry-After while the store lists objects, but does not send them', async () => {
  const owner = await nodes.start()
  const client = await owner.listening()
  expect(await store(client, 'accepted')).toBe(true)
  await client.post('/flush', {})
  await owner.stop()
  server.fault = ({ method, url }) => (method === 'GET' && url.includes('/part-') ? 'do nothing' : undefined)
  const next = await (await nodes.start()).listening()
  const refused = await next.post('/calls/stream_query', { project_id: 'acme/lake' })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
  server.fault = () => undefined
  expect(await idsOf(next)).toEqual(['accepted'])
})

test('a standby that is stopped while the store is away ends soon', async () => {
  await (await nodes.start()).listening()
  const standby = await nodes.start()
  await standby.waiting()
  server.fault = () => 'do nothing'
  expect([0, 1]).toContain(await standby.stop())
})
