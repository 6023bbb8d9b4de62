import { afterAll, beforeAll, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { pino } from 'pino'
import { createApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { type Context, openContext } from '../../src/context.ts'
import { codecs, toProtobuf } from '../conformance/support/otlp.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { Random, seedOf } from '../golden/random.ts'
import { mutateBytes, mutateJson } from './mutate.ts'
import { encodeSpan, frame, someExport } from './otlp-bodies.ts'

const bodies = Number(Bun.env['TRACELAKE_FUZZ_BODIES'] ?? 3_000)
const growthMbMax = 600
const key = 'fuzz-admin-key-0123456789-0123456789'
const projectId = 'fuzz/otlp'
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

function mutatedBody(random: Random): { type: string; body: Uint8Array<ArrayBuffer> } {
  const whole = someExport(random)
  const text = () => new TextEncoder().encode(JSON.stringify(whole))
  switch (random.below(4)) {
    case 0:
      return { type: 'application/json', body: mutateBytes(random, text()) }
    case 1:
      return {
        type: 'application/json',
        body: new TextEncoder().encode(JSON.stringify(mutateJson(random, whole))),
      }
    default:
      return { type: 'application/x-protobuf', body: mutateBytes(random, toProtobuf(whole)) }
  }
}

test(`none of ${bodies} mutated exports causes a 500, and what is stored can be read`, async () => {
  const random = new Random(seedOf('mutated exports'))
  const counts = new Map<string, number>()
  let rssAtQuarter = 0
  for (let i = 0; i < bodies; i++) {
    const { type, body } = mutatedBody(random)
    const isPacked = random.below(10) === 0
    const packed = isPacked ? new Uint8Array(gzipSync(body)) : body
    const answer = await send(random.pick(['/otel/v1/traces', '/v1/traces']), packed, {
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
  const stored = await send('/calls/stream_query', JSON.stringify({ project_id: projectId }), {
    'content-type': 'application/json',
  })
  const lines = (await stored.text()).split('\n').filter((line) => line !== '')
  expect(lines.length).toBeGreaterThan(bodies / 10)
  for (const line of lines) expect(JSON.parse(line)).toHaveProperty('attributes.otel_span')
}, 1_800_000)

test('no damaged span affects a valid one', async () => {
  const random = new Random(seedOf('damaged spans'))
  for (let i = 0; i < Math.ceil(bodies / 10); i++) {
    const good = [encodeSpan(random), encodeSpan(random)]
    const bad = mutateBytes(random, encodeSpan(random))
    const answer = await send('/v1/traces', frame([good[0]!, bad, good[1]!]), {
      'content-type': 'application/x-protobuf',
      project_id: 'fuzz/damaged',
    })
    expect(answer.status).toBe(200)
    const partial = codecs['ExportResponse']!.decode(await answer.bytes()).partialSuccess
    expect(Number(partial?.rejectedSpans ?? 0)).toBeLessThanOrEqual(1)
  }
}, 600_000)

function residentMb(): number {
  Bun.gc(true)
  return process.memoryUsage().rss / 1e6
}
