import { afterAll, beforeAll, expect, test } from 'bun:test'
import { pino } from 'pino'
import { loadConfig } from '../../src/runtime/config.ts'
import { createApp } from '../../src/server/app.ts'
import { type Context, openContext } from '../../src/server/context.ts'
import { startOf } from '../conformance/support/call-shapes.ts'
import { basic } from '../conformance/support/client.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { projectId } from './fixture.ts'
import { jsonText, randomBody } from './fuzz-body.ts'
import { Random, seedOf } from './random.ts'
import { print, randomJson, randomObject } from './random-json.ts'

const bodies = Number(Bun.env['TRACELAKE_FUZZ_BODIES'] ?? 5_000)
const key = 'fuzz-admin-key-0123456789-0123456789'
const errors: string[] = []
let folder: string
let context: Context
let post: (path: string, body: string) => Promise<Response>

beforeAll(async () => {
  folder = await makeTempFolder()
  const variables: Record<string, string> = { TRACELAKE_ADMIN_KEY: key, TRACELAKE_LOG_LEVEL: 'error' }
  const log = pino({ level: 'error' }, { write: (line: string) => void errors.push(line) })
  const config = loadConfig({ data: folder }, (name) => variables[name])
  context = await openContext(config, log)
  const app = createApp(context)
  const headers = { authorization: basic('api', key), 'content-type': 'application/json' }
  post = async (path, body) =>
    await app.fetch(new Request(`http://localhost${path}`, { method: 'POST', body, headers }), {
      ip: () => undefined,
      holdOpen: () => () => {},
    })
  const random = new Random(seedOf('stored calls'))
  const items = Array.from({ length: 30 }, (_, index) => {
    const start = JSON.stringify(startOf(projectId, { id: `call-${index}` })).replace(
      '"inputs":{}',
      () => `"inputs":${print(randomObject(random, 3))}`,
    )
    const output = print(randomJson(random, 3))
    const end = `{"project_id":"${projectId}","id":"call-${index}","ended_at":"2024-05-01T10:00:01Z","summary":{},"output":${output}}`
    return `{"mode":"start","req":{"start":${start}}},{"mode":"end","req":{"end":${end}}}`
  })
  const answer = await post('/call/upsert_batch', `{"batch":[${items.join(',')}]}`)
  expect(`${answer.status} ${await answer.text()}`).toStartWith('200')
})

afterAll(async () => {
  await context.close()
  await removeFolder(folder)
})

test(`none of ${bodies} random bodies causes a 500`, async () => {
  const random = new Random(seedOf('random bodies'))
  const counts = new Map<number, number>()
  for (let i = 0; i < bodies; i++) {
    const body = jsonText({ project_id: projectId, ...randomBody(random) })
    const path = random.pick(['/calls/stream_query', '/calls/query', '/calls/query_stats'])
    const answer = await post(path, body)
    const text = await answer.text()
    counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1)
    if (answer.status === 500) throw new Error(`${path} ${body}\n${text}\n${errors.at(-1)}`)
  }
  console.log(Object.fromEntries([...counts].sort(([a], [b]) => a - b)))
  expect([...counts.keys()].every((status) => [200, 400, 422, 501].includes(status))).toBe(true)
  expect(counts.get(200)).toBeGreaterThan(bodies / 10)
}, 1_800_000)
