import { afterAll, expect, test } from 'bun:test'
import { createServer } from 'node:net'
import type { Answer } from '../support/client.ts'
import { isInLake } from '../support/lake-place.ts'
import type { Project } from '../support/project.ts'
import { expectRefusal } from '../support/refusals.ts'
import { freshProject, ownServer } from '../support/target.ts'
import { until } from '../support/until.ts'

/*
 * A ClickHouse server whose answers end too early, say too little or never come: a request that
 * names it fails, and any other has the answer of DuckDB. `scripts/test engines --stage faults`
 * does the same to the real engine.
 */

/** What one request gets. */
interface Fault {
  readonly sends: string
  /** Milliseconds until then. */
  readonly afterMs?: number
  /** Whether the connection stays open after that. */
  readonly hangs?: true
}

/** For the next requests, one each. Without any, a request is an error of the test. */
const faults: Fault[] = []
/** What was asked, and the fault that it met. */
const asked: { readonly address: URL; readonly fault: Fault | undefined }[] = []
const broken = createServer((socket) => {
  socket.on('error', () => {})
  socket.once('data', (head) => {
    const fault = faults.shift()
    asked.push({ address: new URL(head.toString().split(' ')[1] ?? '', 'http://localhost'), fault })
    setTimeout(() => {
      if (fault?.hangs) socket.write(fault.sends)
      else socket.end(fault?.sends ?? '')
    }, fault?.afterMs ?? 0)
  })
})
await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve))
afterAll(() => broken.close())
const address = broken.address()
const url = typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : ''

const env = {
  TRACELAKE_CLICKHOUSE_URL: url,
  TRACELAKE_CLICKHOUSE_FROM_MB: '0',
  ...(isInLake && { TRACELAKE_CLICKHOUSE_LOCATION: 'https://lake.example.com/traces' }),
}
const patient = await filledProject(env)
const hasty = await filledProject({ ...env, TRACELAKE_QUERY_TIMEOUT_S: '5' })

async function filledProject(settings: Record<string, string>): Promise<Project> {
  const { client } = await ownServer({ env: settings })
  const project = freshProject(client)
  await project.add({ id: 'a', output: 'a refund' }, { id: 'b', output: 'no refund' }, { id: 'c', output: 'nothing' })
  await client.post('/flush', {})
  return project
}

const query = { $expr: { $contains: { input: { $getField: 'output' }, substr: { $literal: 'refund' } } } }
const count = ({ client, id }: Project, more: object = {}) =>
  client.post<{ count: number }>('/calls/query_stats', { project_id: id, query, ...more })
const page = ({ client, id }: Project, more: object = {}) =>
  client.post<{ calls: { id: string }[] }>('/calls/query', { project_id: id, query, ...more })
const named = { engine: 'clickhouse' }

const counted = '{"data":[[1,2,0]]}'
const found = '{"data":[[1,0,[["a",null],["b",null]]]]}'
const head = (...lines: readonly string[]) =>
  `HTTP/1.1 ${['200 OK', 'connection: close', ...lines].join('\r\n')}\r\n\r\n`
const length = (bytes: number) => head(`content-length: ${bytes}`)
const whole = (text: string) => `${length(text.length)}${text}`
const chunked = head('transfer-encoding: chunked')

/** An answer, given that ClickHouse was asked once for it and had this fault. */
async function under<T>(fault: Fault, ask: () => Promise<T>): Promise<T> {
  const before = asked.length
  faults.push(fault)
  const answer = await ask()
  expect(asked.slice(before).map((each) => each.fault)).toEqual([fault])
  return answer
}

/** Ends the time in which a server that was not available is left alone. */
async function isWell(project: Project): Promise<void> {
  const answer = await under({ sends: whole(counted) }, () => count(project, named))
  expect(answer.json.count).toBe(2)
}

test.each([
  ['nothing at all', ''],
  ['a head alone', length(18)],
  ['half of its bytes', `${length(40)}${counted.slice(0, 9)}`],
  ['half of a count, as if it were whole', whole(counted.slice(0, 9))],
  ['half of the calls, as if they were all', whole(found.slice(0, 30))],
  ['a chunk, and not the next', `${chunked}9\r\n${counted.slice(0, 9)}\r\n`],
  ['too little, and says so', whole(`${counted.slice(0, -1)},"exception":"Code: 159. DB::Exception: x"}`)],
])('an answer of %s is an error, or is replaced', async (_what, text) => {
  const fault = { sends: text }
  for (const ask of [count, page]) expectRefusal(await under<Answer<unknown>>(fault, () => ask(patient, named)), 503)
  await isWell(patient)
  expect((await under(fault, () => count(patient))).json.count).toBe(2)
  await isWell(patient)
  const { calls } = (await under(fault, () => page(patient))).json
  expect(calls.map(({ id }) => id).toSorted()).toEqual(['a', 'b'])
})

test('an answer that does not come in time, or not to its end, is a timeout', async () => {
  const before = asked.length
  const never: Fault = { sends: '', hangs: true }
  const halved: Fault = { sends: `${length(40)}${counted.slice(0, 9)}`, hangs: true }
  faults.push(never, halved)
  const answers: Promise<Answer<unknown>>[] = []
  for (const ask of [() => count(hasty, named), () => page(hasty)]) {
    answers.push(ask())
    await until(() => asked.length === before + answers.length)
  }
  for (const answer of await Promise.all(answers)) expectRefusal(answer, 504)
  expect(asked.slice(before).map(({ fault }) => fault)).toEqual([never, halved])
})

test('only our own limit ends a question that takes long', async () => {
  // Bun would give up after this time, five minutes by default.
  const waits = await filledProject({ ...env, BUN_CONFIG_HTTP_IDLE_TIMEOUT: '1' })
  const late = { sends: whole(counted), afterMs: 10_000 }
  expect((await under(late, () => count(waits, named))).json.count).toBe(2)
})

test('no limit in the profile of a user may cut an answer', async () => {
  await isWell(patient)
  const settings = Object.fromEntries(asked.at(-1)?.address.searchParams ?? [])
  expect(settings).toMatchObject({ limit: '0', offset: '0' })
  const modes = ['read', 'timeout', 'result', 'group_by', 'sort', 'set', 'distinct', 'transfer', 'join']
  expect(modes.map((mode) => settings[`${mode}_overflow_mode`])).toEqual(modes.map(() => 'throw'))
})
