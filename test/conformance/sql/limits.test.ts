import { expect, test } from 'bun:test'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { basic } from '../support/client.ts'
import { expectRefusal } from '../support/refusals.ts'
import { freshProject, ownServer } from '../support/target.ts'
import { until } from '../support/until.ts'

const { client, data, processId } = await ownServer()
const project = freshProject(client)
await project.add({ id: 'a' })

/** Every statement has a folder while its process is there. */
const running = async () => (await readdir(join(data, 'tmp'))).filter((name) => name.startsWith('sql-')).length

const endless = {
  'a recursive query without end':
    'WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t',
  'a range of a trillion': 'SELECT count(*), sum(range) FROM range(1000000000000)',
  'cross joins': 'SELECT sum(a.range * b.range + c.range) FROM range(99999) a, range(99999) b, range(99999) c',
}

test.each(Object.entries(endless))(
  '%s ends after its time',
  async (_what, statement) => {
    const answer = await client.post('/sql', { statement })
    // A recursion may need its memory first.
    expect([502, 504]).toContain(answer.status)
    expect(answer.json).toMatchObject({ limit: answer.status === 504 ? 'time' : 'memory' })
    expect(await running()).toBe(0)
  },
  120_000,
)

const huge = {
  'a huge text': "SELECT length(repeat('x', 4000000000))",
  'texts that double': "SELECT length(list_reduce(range(40), lambda a, b: a || a, repeat('x', 1000)::VARCHAR))",
  'a huge list': 'SELECT length(list(range)) FROM range(1000000000)',
  'lists in lists': 'SELECT length(list_transform(range(100000000), lambda x: repeat(x::VARCHAR, 1000)))',
  'a sort of more than the disk may hold':
    "SELECT max(x) FROM (SELECT row_number() OVER (ORDER BY hash(range), repeat('x', 200)) x FROM range(100000000))",
  'a text pattern that explodes':
    "SELECT count(*) FROM range(100000000) WHERE regexp_matches(repeat(range::VARCHAR, 999), '(1|2|12)*(.*x)*')",
}

test.each(Object.entries(huge))(
  '%s is bounded in time or memory',
  async (_what, statement) => {
    const answer = await client.post('/sql', { statement })
    expect(`${answer.status} ${answer.text}`).toMatch(/^(400|502|504) /)
    expect((await client.get('/health')).status).toBe(200)
    expect(await running()).toBe(0)
  },
  120_000,
)

test('an answer has no more bytes than allowed', async () => {
  const statement = "SELECT repeat('x', 1000000) AS text FROM range(100)"
  const run = () => client.post<{ row_count: number; is_cut: boolean }>('/sql', { statement, limit: 10_000 })
  let { status, json } = await run()
  // On a busy machine, the time of a statement may pass first.
  while (status === 504) ({ status, json } = await run())
  expect(json.is_cut).toBe(true)
  expect(json.row_count).toBeWithin(10, 20)
}, 300_000)

const ask = (statement: string, signal: AbortSignal) =>
  fetch(`${client.address}/sql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: basic('api', client.key) },
    body: JSON.stringify({ statement }),
    signal,
  })

/**
 * Runs a heavy statement until the signal, again and again: on a slow machine its time may pass.
 */
async function keepBusy(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) await ask(endless['cross joins'], signal).catch(() => undefined)
}

test('others are answered during a heavy statement, which ends when its client leaves', async () => {
  const leave = new AbortController()
  const busy = keepBusy(leave.signal)
  for (let count = 0; count < 20; count++) {
    await until(async () => (await running()) === 1)
    await project.add({ id: `during-${count}` })
    const found = await client.post('/calls/query_stats', { project_id: project.id })
    expect(found.json).toMatchObject({ count: count + 2 })
  }
  leave.abort()
  await busy
  await until(async () => (await running()) === 0)
}, 120_000)

/** By how much the threads of the processes of statements stand back behind the server. */
async function standingBack(): Promise<number[]> {
  const niceOf = async (stat: string) => Number((await readFile(stat, 'utf8')).replace(/^.*\) /, '').split(' ')[16])
  const own = await niceOf(`/proc/${processId}/stat`)
  const lists = (await readdir(`/proc/${processId}/task`)).map((thread) =>
    readFile(`/proc/${processId}/task/${thread}/children`, 'utf8'),
  )
  const children = (await Promise.all(lists)).flatMap((list) => list.split(' ').filter(Boolean))
  const found: number[] = []
  for (const child of children) {
    if (!(await readFile(`/proc/${child}/cmdline`, 'utf8')).includes('sql-task')) continue
    for (const thread of await readdir(`/proc/${child}/task`))
      found.push((await niceOf(`/proc/${child}/task/${thread}/stat`)) - own)
  }
  return found
}

test.skipIf(process.platform !== 'linux')(
  'every thread of a statement gives way to the server',
  async () => {
    const leave = new AbortController()
    const busy = keepBusy(leave.signal)
    // The threads of the runtime are there before the statement begins.
    await until(async () => {
      const differences = await standingBack().catch(() => [])
      return differences.length > 1 && differences.every((difference) => difference === 10)
    })
    leave.abort()
    await busy
    await until(async () => (await running()) === 0)
  },
  120_000,
)

test('a few statements wait, more are refused, and those who leave make room', async () => {
  const leave = new AbortController()
  const waiting = Array.from({ length: 9 }, () => ask(endless['cross joins'], leave.signal).catch(() => undefined))
  const refused = await Promise.race(waiting)
  expect(refused?.status).toBe(503)
  leave.abort()
  await Promise.all(waiting)
  // The server hears a moment later that they left.
  await until(async () => (await client.post('/sql', { statement: 'SELECT 1' })).status === 200)
  expectRefusal(await client.post('/sql', { statement: 'SELECT' }), 400)
}, 120_000)
