import { afterEach, beforeEach, expect, test } from 'bun:test'
import process from 'node:process'
import { until } from '../conformance/support/until.ts'
import { type Fault, refusal } from '../lake/s3-server.ts'
import { Random, seedOr } from '../store/random.ts'
import { expectLedger, idsOf, LakeLoad, store } from './lake-nodes.ts'
import { type NodesInS3, startNodesInS3 } from './nodes-in-s3.ts'

/** How long a store is gone, and how slow a slow one is; `scripts/test lake` takes more of both. */
const awayMs = Number(process.env['TRACELAKE_TEST_AWAY_SECONDS'] ?? 4) * 1_000
const slowMs = Number(process.env['TRACELAKE_TEST_SLOW_MS'] ?? 30)
const random = new Random(seedOr(20_261_129))

let server: NodesInS3['server']
let nodes: NodesInS3['nodes']
let stop: NodesInS3['stop']
beforeEach(async () => {
  ;({ server, nodes, stop } = await startNodesInS3('s3://lake/faults'))
})
afterEach(() => stop())

const slow =
  (ms: number): Fault =>
  async () => {
    await Bun.sleep(ms)
    return undefined
  }
const sometimes =
  (fault: Fault): Fault =>
  (request) =>
    random.chance(0.02) ? fault(request) : undefined

test.each<readonly [string, Fault]>([
  [`takes ${slowMs} ms for each request`, slow(slowMs)],
  ['cuts 2 % of its answers', sometimes(() => 'lose the answer')],
  ['drops 2 % of the requests', sometimes(() => 'do nothing')],
  ['answers 2 % of the requests with 503', sometimes(() => refusal(503, 'SlowDown'))],
])(
  'with a store that %s, nothing accepted is lost when the node is killed',
  async (_, fault) => {
    const owner = await nodes.start()
    const load = new LakeLoad(await owner.listening(), 'load')
    server.fault = fault
    const stored = async (more: number) => {
      const before = load.accepted.length
      await until(() => load.accepted.length > before + more)
    }
    await stored(20)
    await load.client.post('/flush', {})
    await stored(20)
    await expectLedger(load.client, load)
    const standby = await nodes.start()
    await standby.waiting()
    await owner.kill()
    load.client = await standby.listening()
    await stored(1)
    await load.end()
    await expectLedger(load.client, load)
  },
  600_000,
)

test.each<readonly [string, Fault]>([
  ['refuses all connections', () => 'do nothing'],
  ['does not answer', () => new Promise(() => {})],
])(
  'while a store %s, writes wait or get 503, reads go on, and all resumes by itself',
  async (_, fault) => {
    const owner = await nodes.start()
    const client = await owner.listening()
    const load = new LakeLoad(client, 'load')
    await until(() => load.accepted.length > 20)
    await client.post('/flush', {})
    server.fault = fault
    await Bun.sleep(awayMs / 2)
    const during = load.accepted.length
    expect((await idsOf(client)).length).toBeGreaterThan(20)
    await Bun.sleep(awayMs / 2)
    // What was sent before the fault may be accepted at its beginning.
    expect(load.accepted.length).toBe(during)
    await expectLedger(client, load)
    server.fault = () => undefined
    await until(() => load.accepted.length > during + 20)
    expect(await store(client, 'after')).toBe(true)
    load.sent.add('after')
    await load.end()
    await expectLedger(client, load)
    expect(await owner.stop()).toBe(0)
    const next = await nodes.start()
    await expectLedger(await next.listening(), load)
  },
  600_000 + awayMs,
)
