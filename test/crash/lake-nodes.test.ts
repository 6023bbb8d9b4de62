import { afterEach, beforeEach, expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { until } from '../conformance/support/until.ts'
import { expectLedger, idsOf, LakeLoad, LakeNodes, store } from './lake-nodes.ts'

const takeovers = 2
let folder: string
let nodes: LakeNodes
beforeEach(async () => {
  folder = await makeTempFolder()
  nodes = new LakeNodes(folder, { TRACELAKE_LAKE: join(folder, 'lake') })
})
afterEach(async () => {
  await nodes.killAll()
  await removeFolder(folder)
})

test('a node with an empty cache takes over from one that is killed under load, and has all calls', async () => {
  let owner = await nodes.start()
  const load = new LakeLoad(await owner.listening(), 'load')
  for (let takeover = 1; takeover <= takeovers; takeover++) {
    const standby = await nodes.start()
    const waiting = await standby.waiting()
    expect(await waiting.get('/health')).toMatchObject({ status: 503, json: { status: 'standby' } })
    expect(await store(waiting, 'never')).toBe(false)
    // On a slow machine the standby may take over before the owner is killed.
    const takenOver = standby.listening().then((client) => {
      load.client = client
    })
    const before = load.accepted.length
    await until(() => load.accepted.length > before + 20)
    await load.client.post('/flush', {}).catch(() => undefined)
    await until(() => load.accepted.length > before + 40)
    await owner.kill()
    await takenOver
    const after = load.accepted.length
    await until(() => load.accepted.length > after)
    await expectLedger(load.client, load)
    owner = standby
  }
  await load.end()
  await expectLedger(load.client, load)
}, 300_000)

test('a node that was paused for longer than its lease lasts accepts nothing more, and exits', async () => {
  const owner = await nodes.start()
  const client = await owner.listening()
  expect(await store(client, 'before')).toBe(true)
  const standby = await nodes.start()
  await standby.waiting()
  process.kill(owner.pid, 'SIGSTOP')
  const late = Array.from({ length: 8 }, (_, number) => store(client, `late-${number}`))
  const next = await standby.listening()
  expect(await store(next, 'after')).toBe(true)
  process.kill(owner.pid, 'SIGCONT')
  expect(await Promise.all(late)).toEqual(late.map(() => false))
  expect(await owner.exited).toBe(1)
  expect(await owner.kill()).toContain('another node has taken the lake over')
  expect(await idsOf(next)).toEqual(['after', 'before'])
}, 300_000)

test('a node that is stopped under load hands over what is in its log, and nothing accepted is lost', async () => {
  const owner = await nodes.start({ TRACELAKE_LOG_LEVEL: 'info' })
  const client = await owner.listening()
  const { json: made } = await client.post<{ key: string }>('/keys/create', { name: 'ci', role: 'write' })
  const load = new LakeLoad(client, 'load')
  const stored = async (more: number) => {
    const before = load.accepted.length
    await until(() => load.accepted.length > before + more)
  }
  await stored(20)
  const standby = await nodes.start()
  await standby.waiting()
  await stored(20)
  const code = await owner.stop()
  const log = await owner.kill()
  // On a slow machine the standby may take over before.
  if (code !== 0) expect(log).toContain('another node has taken the lake over')
  else expect(log).toMatch(/"ms":\d+.*"handed over"/)
  load.client = await standby.listening()
  await stored(20)
  await load.end()
  await expectLedger(load.client, load)
  expect((await idsOf(load.client.withKey(made.key))).length).toBe(load.accepted.length)
  expect(await standby.stop()).toBe(0)
}, 300_000)

test('a node that is stopped while no other one waits leaves all rows in files', async () => {
  const owner = await nodes.start({ TRACELAKE_LOG_LEVEL: 'info' })
  expect(await store(await owner.listening(), 'first')).toBe(true)
  expect(await owner.stop()).toBe(0)
  expect(await owner.kill()).not.toContain('handed over')
  const names = await readdir(join(folder, 'lake/tables/calls'))
  expect(names.filter((name) => name.endsWith('.parquet'))).toHaveLength(1)
}, 300_000)
