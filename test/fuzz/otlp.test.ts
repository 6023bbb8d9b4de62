import { expect, test } from 'bun:test'
import { codecs, toProtobuf } from '../conformance/support/otlp.ts'
import { Random, seedOf } from '../golden/random.ts'
import { openFuzzApp } from './fuzz-app.ts'
import { mutateBytes, mutateJson } from './mutate.ts'
import { linesOf, sendMutated } from './mutated-exports.ts'
import { encodeSpan, frame, someExport } from './otlp-bodies.ts'

const bodies = Number(Bun.env['TRACELAKE_FUZZ_BODIES'] ?? 3_000)
const projectId = 'fuzz/otlp'
const app = await openFuzzApp()

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
  const paths = ['/otel/v1/traces', '/v1/traces']
  await sendMutated(app, random, { paths, projectId, count: bodies, someBody: mutatedBody })
  const stored = await linesOf(app, '/calls/stream_query', projectId)
  expect(stored.length).toBeGreaterThan(bodies / 10)
  for (const call of stored) expect(call).toHaveProperty('attributes.otel_span')
}, 1_800_000)

test('no damaged span affects a valid one', async () => {
  const random = new Random(seedOf('damaged spans'))
  for (let i = 0; i < Math.ceil(bodies / 10); i++) {
    const good = [encodeSpan(random), encodeSpan(random)]
    const bad = mutateBytes(random, encodeSpan(random))
    const answer = await app.send('/v1/traces', {
      method: 'POST',
      body: frame([good[0]!, bad, good[1]!]),
      headers: { 'content-type': 'application/x-protobuf', project_id: 'fuzz/damaged' },
    })
    expect(answer.status).toBe(200)
    const partial = codecs['ExportResponse']!.decode(await answer.bytes()).partialSuccess
    expect(Number(partial?.rejectedSpans ?? 0)).toBeLessThanOrEqual(1)
  }
}, 600_000)
