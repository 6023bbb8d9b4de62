import { afterAll, beforeAll, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { pino } from 'pino'
import { createApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { type Context, openContext } from '../../src/context.ts'
import { exportOfSession, sessions } from '../conformance/agents/agent-events.ts'
import { logExportOf, logGroupOf, logsToProtobuf, recordOf } from '../conformance/support/otlp-logs.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { Random, seedOf } from '../golden/random.ts'
import { mutateBytes, mutateJson } from './mutate.ts'

const bodies = Number(Bun.env['TRACELAKE_FUZZ_BODIES'] ?? 1_500)
const growthMbMax = 600
const key = 'fuzz-admin-key-0123456789-0123456789'
const projectId = 'fuzz/logs'
const errors: string[] = []
let folder: string
let context: Context
let send: (path: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>) => Promise<Response>

beforeAll(async () => {
  folder = await makeTempFolder()
  const variables: Record<string, string> = { TRACELAKE_ADMIN_KEY: key, TRACELAKE_LOG_LEVEL: 'error' }
  const log = pino({ level: 'error' }, { write: (line: string) => void errors.push(line) })
  context = await openContext(
    loadConfig({ data: folder }, (name) => variables[name]),
    log,
  )
  const app = createApp(context)
  send = async (path, body, headers) => {
    const request = new Request(`http://localhost${path}`, {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${key}`, ...headers },
    })
    return await app.fetch(request, { ip: () => undefined, holdOpen: () => () => {} })
  }
})

afterAll(async () => {
  await context.close()
  await removeFolder(folder)
})

/** Records of every kind: of agents, about spans, and others. */
function someExport(random: Random): Record<string, unknown> {
  const ids = { traceId: 'ab'.repeat(16), spanId: random.below(0xffff).toString(16).padStart(16, 'c') }
  if (random.below(2) === 0) {
    const session = random.pick(Object.values(sessions))(`s-${random.below(50)}`)
    const from = random.below(session.records.length)
    return exportOfSession(session, session.records.slice(from, from + 3))
  }
  const record = random.pick([
    recordOf({ ...ids, event: 'gen_ai.user.message', body: { content: 'Hi \u{1f319}' } }),
    recordOf({ ...ids, event: 'gen_ai.choice', body: { message: { content: 'Ho' } } }),
    recordOf({
      ...ids,
      event: 'gen_ai.client.inference.operation.details',
      attributes: { 'gen_ai.input.messages': '[{"role":"user"}]' },
    }),
    recordOf({ ...ids, event: 'gen_ai.evaluation.result', attributes: { 'gen_ai.evaluation.name': 'a' } }),
    recordOf({ body: { list: [1, 'a', null], bytes: new Uint8Array([1, 2]) }, attributes: { a: 1, 'a.b': 2 } }),
    recordOf({ body: 'Chat Model Completion:\n["x"]', ...ids }),
  ])
  return logExportOf(logGroupOf([record, recordOf()], random.pick([{}, { 'service.name': 'bot' }])))
}

function mutatedBody(random: Random): { type: string; body: Uint8Array<ArrayBuffer> } {
  const whole = someExport(random)
  const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
  switch (random.below(5)) {
    case 0:
      return { type: 'application/json', body: mutateBytes(random, encode(whole)) }
    case 1:
      return { type: 'application/json', body: encode(mutateJson(random, whole)) }
    case 2:
      return { type: 'application/json', body: encode(whole) }
    default:
      return { type: 'application/x-protobuf', body: mutateBytes(random, logsToProtobuf(whole)) }
  }
}

test(`none of ${bodies} mutated exports of logs causes a 500, and what is stored can be read`, async () => {
  const random = new Random(seedOf('mutated exports of logs'))
  const counts = new Map<string, number>()
  let rssAtQuarter = 0
  for (let i = 0; i < bodies; i++) {
    const { type, body } = mutatedBody(random)
    const isPacked = random.below(10) === 0
    const packed = isPacked ? new Uint8Array(gzipSync(body)) : body
    const answer = await send(random.pick(['/otel/v1/logs', '/v1/logs']), packed, {
      'content-type': type,
      project_id: projectId,
      ...(isPacked && { 'content-encoding': 'gzip' }),
    })
    const bytes = await answer.bytes()
    const name = `${answer.status} ${type}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
    if (![200, 400, 413].includes(answer.status)) {
      throw new Error(`${name}: ${body.toBase64()}\n${new TextDecoder().decode(bytes)}\n${errors.at(-1)}`)
    }
    if (i === Math.floor(bodies / 4)) rssAtQuarter = residentMb()
  }
  const grownMb = residentMb() - rssAtQuarter
  console.log(Object.fromEntries([...counts].sort()), `grown by ${grownMb.toFixed(0)} MB after the first quarter`)
  expect(grownMb).toBeLessThan(growthMbMax)
  expect(errors).toEqual([])
  // However many events arrive, they tell of the same few sessions.
  for (const [path, linesMin] of [
    ['/logs/query', bodies / 20],
    ['/calls/stream_query', 50],
  ] as const) {
    const stored = await send(path, JSON.stringify({ project_id: projectId }), { 'content-type': 'application/json' })
    const lines = (await stored.text()).split('\n').filter((line) => line !== '')
    expect(lines.length).toBeGreaterThan(linesMin)
    for (const line of lines) expect(JSON.parse(line)).toHaveProperty('attributes')
  }
}, 3_600_000)

function residentMb(): number {
  Bun.gc(true)
  return process.memoryUsage().rss / 1e6
}
