import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { CommandChild } from '../cli/command.ts'
import { LakeServer } from '../cli/lake-server.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { S3Server } from '../lake/s3-server.ts'

setDefaultTimeout(300_000)

const lake = 's3://lake/a'
const folder = await makeTempFolder()
const store = await new S3Server().start()
store.listedAtOnce = 1000
const node = new LakeServer({ folder, store, lake })
const env = { ...node.environment, TMPDIR: folder }
const kept = ['b1', 'b2', 'b3']
const others = ['a1', 'a2', 'a3', 'a4']
/** The lake of a node that was killed: rows in several files, and two in the log. */
let before = new Map(store.objects.objects)
beforeAll(async () => {
  await node.start()
  for (const [at, id] of others.entries()) {
    await node.send([id])
    await node.send(kept.slice(at, at + 1), 'acme/two')
    if (at < 2) await node.flush()
  }
  await node.kill()
  before = new Map(store.objects.objects)
})
afterAll(async () => {
  await node.kill()
  await store.stop()
  await removeFolder(folder)
})

const child = (...words: string[]) => new CommandChild([...words, '--lake', lake], env)

async function idsIn(project: string): Promise<string[]> {
  const statement = `SELECT id FROM calls WHERE project_id = '${project}' ORDER BY id`
  const { out, code } = await child('sql', '--format', 'csv', statement).ended()
  expect(code).toBe(0)
  return out.trim().split('\n').slice(1)
}

function restore(): void {
  const { objects } = store.objects
  objects.clear()
  for (const [name, object] of before) objects.set(name, object)
}

/** Requests that change the tables or their logs. */
const isChange = ({ method, url }: Request) => method !== 'GET' && method !== 'HEAD' && /\/(tables|log)\//.test(url)

async function changesOf(words: readonly string[]): Promise<number> {
  restore()
  let changes = 0
  store.fault = (request) => {
    if (isChange(request)) changes++
    return undefined
  }
  const { code } = await child(...words).ended()
  expect(code).toBe(0)
  store.fault = () => undefined
  return changes
}

/**
 * Kills a command at one of its changes, which the store has made or not.
 *
 * @returns whether it came to that change
 */
async function killAt(change: number, isMade: boolean, words: readonly string[]): Promise<boolean> {
  restore()
  const command = child(...words)
  let changes = 0
  let killed: Promise<boolean> | undefined
  store.fault = (request) => {
    if (killed !== undefined) return 'do nothing'
    if (!isChange(request) || ++changes < change) return undefined
    killed = command.kill()
    return isMade ? 'lose the answer' : 'do nothing'
  }
  await command.ended()
  store.fault = () => undefined
  return (await killed) === true
}

const isLease = ({ url }: Request) => url.endsWith('/a/lease')
const leaseText = () => new TextDecoder().decode(store.objects.objects.get('a/lease')?.bytes)

/** Lets the store be away from the first commit of a command on; with its lease, or without. */
function awayFromFirstCommit({ isLeaseKept }: { isLeaseKept: boolean }): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let isAway = false
  store.fault = (request) => {
    isAway ||= request.method === 'PUT' && request.url.includes('/_delta_log/')
    if (!isAway || (isLeaseKept && isLease(request))) return undefined
    resolve()
    return 'do nothing'
  }
  return promise
}

test('a command that is interrupted gives the lease back, whatever it waits for', async () => {
  restore()
  const away = awayFromFirstCommit({ isLeaseKept: true })
  const command = child('compact')
  await away
  expect(leaseText()).toContain('"isFree":false')
  command.interrupt()
  expect((await command.ended()).code).toBe(130)
  expect(leaseText()).toContain('"isFree":true')
  store.fault = () => undefined
  expect(await child('compact').ended()).toMatchObject({ code: 0 })
  expect([await idsIn('acme/one'), await idsIn('acme/two')]).toEqual([others, kept])
})

test('a command says that the store does not answer, and ends when it is interrupted, or after a time', async () => {
  for (const isInterrupted of [true, false]) {
    restore()
    const away = awayFromFirstCommit({ isLeaseKept: false })
    const command = child('compact')
    await away
    if (isInterrupted) command.interrupt()
    const { code, err } = await command.ended()
    expect(code).toBe(isInterrupted ? 130 : 1)
    const said = ['s3://lake/a does not answer; waiting for up to 30 s', 'run the command again']
    if (!isInterrupted) for (const words of said) expect(err).toContain(words)
    store.fault = () => undefined
    expect(await child('compact').ended()).toMatchObject({ code: 0 })
    expect([await idsIn('acme/one'), await idsIn('acme/two')]).toEqual([others, kept])
  }
})

/** Parts of the work, from its first change to its last. */
const points = [0, 0.6, 1]

test('a lake is whole wherever compact is killed, and compact then ends its work', async () => {
  const changes = await changesOf(['compact'])
  let kills = 0
  for (const [at, part] of points.entries()) {
    if (await killAt(Math.max(1, Math.floor(part * changes)), at % 2 === 0, ['compact'])) kills++
    expect(await idsIn('acme/one')).toEqual(others)
    expect(await child('compact').ended()).toMatchObject({ code: 0 })
    expect([await idsIn('acme/one'), await idsIn('acme/two')]).toEqual([others, kept])
  }
  expect(kills).toBeGreaterThan(1)
  expect((await child('verify').ended()).code).toBe(0)
})

test('a project is erased wherever erase was killed before, and others stay', async () => {
  const words = ['erase', 'acme/one', '--yes']
  const changes = await changesOf(words)
  let kills = 0
  for (const [at, part] of points.entries()) {
    if (await killAt(Math.max(1, Math.floor(part * changes)), at % 2 === 1, words)) kills++
    expect(await idsIn('acme/two')).toEqual(kept)
    expect((await child(...words).ended()).code).toBe(0)
    expect([await idsIn('acme/one'), await idsIn('acme/two')]).toEqual([[], kept])
  }
  expect(kills).toBeGreaterThan(1)
  const client = await node.start()
  const counted = await client.post('/calls/query_stats', { project_id: 'acme/two' })
  expect([counted.status, counted.json]).toEqual([200, expect.objectContaining({ count: kept.length })])
  expect((await child('verify').ended()).code).toBe(0)
})
