import { expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { Random, seedOf } from '../golden/random.ts'
import { openFuzzApp } from './fuzz-app.ts'
import { someMetrics, someMetricsProtobuf } from './metric-bodies.ts'
import { mutateBytes, mutateJson } from './mutate.ts'

const bodies = Number(Bun.env['TRACELAKE_FUZZ_BODIES'] ?? 2_000)
const growthMbMax = 600
const project_id = 'fuzz/metrics'
const app = await openFuzzApp()

function mutatedBody(random: Random): { type: string; body: Uint8Array<ArrayBuffer> } {
  const text = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
  switch (random.below(4)) {
    case 0:
      return { type: 'application/json', body: mutateBytes(random, text(someMetrics(random))) }
    case 1:
      return { type: 'application/json', body: text(mutateJson(random, someMetrics(random))) }
    case 2:
      return {
        type: 'application/x-protobuf',
        body: someMetricsProtobuf(random, (bytes) => mutateBytes(random, bytes)),
      }
    default:
      return { type: 'application/x-protobuf', body: mutateBytes(random, someMetricsProtobuf(random)) }
  }
}

test(`none of ${bodies} mutated exports of metrics causes a 500, and what is stored can be read`, async () => {
  const random = new Random(seedOf('mutated metrics'))
  const counts = new Map<string, number>()
  let rssAtQuarter = 0
  for (let i = 0; i < bodies; i++) {
    const { type, body } = mutatedBody(random)
    const isPacked = random.below(10) === 0
    const answer = await app.send('/v1/metrics', {
      method: 'POST',
      body: isPacked ? new Uint8Array(gzipSync(body)) : body,
      headers: { 'content-type': type, project_id, ...(isPacked && { 'content-encoding': 'gzip' }) },
    })
    const text = await answer.text()
    const name = `${answer.status} ${type}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
    if (![200, 400, 413].includes(answer.status)) throw new Error(`${name}: ${body.toBase64()}\n${text}`)
    if (i === Math.floor(bodies / 4)) rssAtQuarter = residentMb()
  }
  const grownMb = residentMb() - rssAtQuarter
  console.log(Object.fromEntries([...counts].sort()), `grown by ${grownMb.toFixed(0)} MB after the first quarter`)
  expect(grownMb).toBeLessThan(growthMbMax)
  const ask = async (path: string, body: unknown) =>
    await app.send(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })
  const lines = (await (await ask('/metrics/query', { project_id })).text()).split('\n').filter((line) => line !== '')
  expect(lines.length).toBeGreaterThan(bodies / 20)
  for (const line of lines) expect(JSON.parse(line)).toHaveProperty('kind')
  const stats = await ask('/metrics/stats', { project_id, start: 0, granularity: 1e9, group_by: ['attributes.model'] })
  expect(stats.status).toBe(200)
}, 1_800_000)

function residentMb(): number {
  Bun.gc(true)
  return process.memoryUsage().rss / 1e6
}
