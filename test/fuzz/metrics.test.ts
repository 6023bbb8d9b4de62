import { expect, test } from 'bun:test'
import { Random, seedOf } from '../golden/random.ts'
import { openFuzzApp } from './fuzz-app.ts'
import { someMetrics, someMetricsProtobuf } from './metric-bodies.ts'
import { mutateBytes, mutateJson } from './mutate.ts'
import { linesOf, sendMutated } from './mutated-exports.ts'

const bodies = Number(Bun.env['TRACELAKE_FUZZ_BODIES'] ?? 2_000)
const projectId = 'fuzz/metrics'
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
  const paths = ['/otel/v1/metrics', '/v1/metrics']
  await sendMutated(app, random, { paths, projectId, count: bodies, someBody: mutatedBody })
  const stored = await linesOf(app, '/metrics/query', projectId)
  expect(stored.length).toBeGreaterThan(bodies / 20)
  for (const point of stored) expect(point).toHaveProperty('kind')
  await app.post('/metrics/stats', {
    project_id: projectId,
    start: 0,
    granularity: 1e9,
    group_by: ['attributes.model'],
  })
}, 1_800_000)
