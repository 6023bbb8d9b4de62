import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { cp, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { runCommand } from '../cli/command.ts'
import { faultsOf } from '../cli/damage.ts'
import type { Client } from '../conformance/support/client.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { until } from '../conformance/support/until.ts'
import { ServerChild } from './server-child.ts'

const adminKey = 'd'.repeat(40)
const perProject = 9_000
let parent: string
let sample: string

beforeAll(async () => {
  parent = await makeTempFolder()
  sample = join(parent, 'sample')
  for (const project of ['acme/a', 'acme/b']) await whileServing(sample, (client) => sendCalls(client, project))
}, 300_000)
afterAll(() => removeFolder(parent))

async function whileServing(data: string, work: (client: Client) => Promise<void>): Promise<void> {
  const server = new ServerChild({ kind: 'plain', data, adminKey })
  try {
    await work(await server.listening())
    expect(await server.stop()).toBe(0)
  } finally {
    await server.kill()
  }
}

async function sendCalls(client: Client, project: string): Promise<void> {
  for (let from = 0; from < perProject; from += 1000) {
    const batch = Array.from({ length: 1000 }, (_, index) => {
      const id = `${project.slice(-1)}-${String(from + index).padStart(5, '0')}`
      const started = new Date(Date.UTC(2024, 0, 1) + (from + index) * 1000)
      const call = { project_id: project, id, trace_id: id, op_name: 'op', started_at: started, ended_at: started }
      const text = crypto.getRandomValues(Buffer.alloc(60)).toString('hex')
      return { ...call, attributes: {}, inputs: { text }, output: id, summary: {} }
    })
    expect(await client.post(`/v2/acme/${project.slice(-1)}/calls/complete`, { batch })).toMatchObject({
      status: 200,
    })
  }
}

const folder = (data: string) => join(data, 'tables/calls')

/** The one file of a project. */
function fileOf(data: string, project: string): string {
  const log = join(folder(data), '_delta_log')
  for (const name of readdirSync(log).filter((name) => name.endsWith('.json')))
    for (const line of readFileSync(join(log, name), 'utf8').trimEnd().split('\n')) {
      const { add } = JSON.parse(line) as { add?: { path: string; stats: string } }
      if (add?.stats.includes(`"project_id":"${project}"`)) return join(folder(data), add.path)
    }
  throw new Error(`${project} has no file`)
}

async function copyOfSample(): Promise<string> {
  const data = join(await mkdtemp(join(parent, 'copy-')), 'data')
  await cp(sample, data, { recursive: true })
  return data
}

function flipBit(file: string, part: number): void {
  const bytes = readFileSync(file)
  bytes[Math.floor(bytes.byteLength * part)]! ^= 0x10
  writeFileSync(file, bytes)
}

const ask = (client: Client, project: string, query = {}) =>
  client.post<Record<string, unknown>>('/calls/query_stats', { project_id: project, ...query })
const named = (id: string) => ({ query: { $expr: { $eq: [{ $getField: 'display_name' }, { $literal: id }] } } })
const rename = (client: Client, project: string, call: string, name: string) =>
  client.post('/call/update', { project_id: project, call_id: call, display_name: name })

test('verify finds a single flipped bit anywhere, and compaction does not propagate it', async () => {
  const data = await copyOfSample()
  for (const part of [0.05, 0.31, 0.62, 0.97]) {
    const file = fileOf(data, 'acme/a')
    const before = readFileSync(file)
    flipBit(file, part)
    expect(await faultsOf(data)).toContainEqual(expect.stringMatching(/part-.*: bytes \d+ to \d+ do not match/))
    writeFileSync(file, before)
  }
  flipBit(fileOf(data, 'acme/a'), 0.31)
  await runCommand('compact', '--data', data)
  expect(readFileSync(fileOf(data, 'acme/a')).byteLength).toBeGreaterThan(0)
  expect((await runCommand('repair', '--data', data)).out).toContain('bytes')
}, 300_000)

const damages: readonly [string, (file: string) => void][] = [
  ['is zeroed', (file) => spoilMany(file)],
  ['is truncated', (file) => truncateSync(file, 1000)],
  ['is missing', (file) => rmSync(file)],
]
function spoilMany(file: string): void {
  const bytes = readFileSync(file)
  const from = Math.floor(bytes.byteLength * 0.4)
  writeFileSync(file, bytes.fill(0, from, from + 20_000))
}

for (const [what, damage] of damages) {
  test(`if a file of one project ${what}, the other works, starts succeed, and repair recovers intact rows`, async () => {
    const data = await copyOfSample()
    damage(fileOf(data, 'acme/a'))
    await whileServing(data, async (client) => {
      // The update hits the damage before any query does.
      await rename(client, 'acme/a', 'a-00001', 'renamed')
      expect((await ask(client, 'acme/b')).json).toMatchObject({ count: perProject })
      const refused = await ask(client, 'acme/a', named('renamed'))
      expect(refused).toMatchObject({ status: 503, json: { error_type: 'DataDamaged' } })
      expect((await client.get('/health')).status).toBe(200)
      expect((await rename(client, 'acme/b', 'b-00001', 'renamed')).status).toBe(200)
      expect((await ask(client, 'acme/b', named('renamed'))).json).toMatchObject({ count: 1 })
    })
    expect((await runCommand('flush', '--data', data)).code).toBe(0)
    await whileServing(data, async (client) => {
      expect((await ask(client, 'acme/b', named('renamed'))).json).toMatchObject({ count: 1 })
      await rename(client, 'acme/a', 'a-00002', 'renamed')
      await rename(client, 'acme/a', `a-0${perProject - 1}`, 'renamed')
      expect(await ask(client, 'acme/a')).toMatchObject({ status: 503 })
      // All files are checked after a read that fails.
      const health = async () => (await client.get<object>('/health')).json
      await until(async () => 'damaged_files' in (await health()))
      expect(await health()).toEqual({ status: 'ok', damaged_files: 1 })
      const message = String((await ask(client, 'acme/a')).json['reason'])
      expect(message).toContain('"acme/a"')
      expect((await runCommand('repair', '--data', data)).code).toBe(2)
    })
    const plan = await runCommand('repair', '--data', data)
    expect(plan).toMatchObject({ code: 1, err: expect.stringContaining('nothing was changed') })
    const done = await runCommand('repair', '--data', data, '--yes')
    expect(done).toMatchObject({ code: 0 })
    const kept = Number(/rows, ([\d,]+) can be kept/.exec(done.out)![1]!.replaceAll(',', ''))
    if (what === 'is zeroed') expect(kept).toBeGreaterThan(1000)
    expect(kept).toBeLessThan(perProject)
    expect((await runCommand('repair', '--data', data, '--yes')).out).toContain('no damaged data files')
    await whileServing(data, async (client) => {
      const { count } = (await ask(client, 'acme/a')).json as { count: number }
      expect(count).toBe(kept)
      expect((await ask(client, 'acme/b')).json).toMatchObject({ count: perProject })
      expect((await client.get<object>('/health')).json).toEqual({ status: 'ok' })
    })
    expect(await faultsOf(data)).toEqual([])
    expect(readdirSync(join(folder(data), '_quarantine')).length).toBe(what === 'is missing' ? 0 : 1)
  }, 300_000)
}
