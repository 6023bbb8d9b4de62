import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Trace } from '../../src/demo/traces/call-items.ts'
import { SeededRandom } from '../../src/demo/traces/seeded-random.ts'
import { Timeline } from '../../src/demo/traces/timeline.ts'
import { CallFailure, StillRunning, TraceBuilder } from '../../src/demo/traces/trace-builder.ts'
import { FakeServer } from './fake-server.ts'
import { PatientClient } from './patient-client.ts'
import { sendTraces } from './send.ts'

const key = 'secret'
const project = 'demo/test'
let said: string[] = []
let silence: ReturnType<typeof spyOn>

beforeEach(() => {
  said = []
  silence = spyOn(console, 'log').mockImplementation((text: string) => void said.push(text))
})
afterEach(() => silence.mockRestore())

function trace(index: number): Trace {
  const time = new Timeline(index * 1_000, new SeededRandom(index))
  const builder = new TraceBuilder({ projectId: project, key: ['test', index], threadId: 't', attributes: {}, time })
  try {
    builder.call('root', {}, () => {
      builder.call('step', {}, () => ({ output: 'x'.repeat(3_000) }))
      if (index % 10 === 1) throw new CallFailure('broke')
      if (index % 10 === 2) throw new StillRunning()
      return { output: 'done' }
    })
  } catch (cause) {
    if (!(cause instanceof CallFailure || cause instanceof StillRunning)) throw cause
  }
  return builder.trace()
}
const traces = (): Trace[] => Array.from({ length: 700 }, (_, index) => trace(index))

test('sends everything despite server failures, and verifies it', async () => {
  using server = new FakeServer(key)
  server.troubles.push(
    new Response('busy', { status: 429, headers: { 'retry-after': '0' } }),
    new Response('starting', { status: 503 }),
  )
  expect(await sendTraces(traces, { url: server.url, key, project })).toBe(true)
  expect(server.starts.size).toBe(1_400)
  expect(server.ends.size).toBe(1_330)
  expect(Math.max(...server.batchSizes)).toBe(500)
  expect(said.join('\n')).toContain('again in 200 ms: 429 busy')
  expect(said.join('\n')).toMatch(/✓ status running +70 +70/)
})

test('reports differences in what the server holds', async () => {
  using server = new FakeServer(key)
  server.loseEnds = 1
  expect(await sendTraces(traces, { url: server.url, key, project })).toBe(false)
  expect(said.join('\n')).toMatch(/✗ status running +70 +71/)
})

test('sending twice changes nothing', async () => {
  using server = new FakeServer(key)
  await sendTraces(traces, { url: server.url, key, project })
  const before = new Map(server.starts)
  expect(await sendTraces(traces, { url: server.url, key, project })).toBe(true)
  expect(server.starts).toEqual(before)
})

test('the ledger names every call that was acknowledged', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'ledger-'))
  try {
    using server = new FakeServer(key)
    const ledger = path.join(folder, 'ledger')
    await sendTraces(traces, { url: server.url, key, project, ledger })
    const ids = (await readFile(ledger, 'utf8')).trimEnd().split('\n')
    expect(ids.sort()).toEqual([...server.starts.keys()].sort())
  } finally {
    await rm(folder, { recursive: true })
  }
})

test("a rejected request ends the sending with the server's message", async () => {
  using server = new FakeServer(key)
  const client = new PatientClient({ url: server.url, key: 'wrong' })
  await expect(client.post('/call/upsert_batch', '{"batch":[]}')).rejects.toThrow('POST /call/upsert_batch: 401 who?')
})

test('a server that stays unreachable ends it too', async () => {
  const client = new PatientClient({ url: 'http://127.0.0.1:1', key, patienceMs: 300 })
  await expect(client.post('/call/upsert_batch', '{"batch":[]}')).rejects.toThrow('gave up')
})
