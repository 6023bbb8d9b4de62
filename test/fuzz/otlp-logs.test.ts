import { expect, test } from 'bun:test'
import { exportOfSession, sessions } from '../conformance/agents/agent-events.ts'
import { logExportOf, logGroupOf, logsToProtobuf, recordOf } from '../conformance/support/otlp-logs.ts'
import { Random, seedOf } from '../golden/random.ts'
import { openFuzzApp } from './fuzz-app.ts'
import { mutateBytes, mutateJson } from './mutate.ts'
import { linesOf, sendMutated } from './mutated-exports.ts'

const bodies = Number(Bun.env['TRACELAKE_FUZZ_BODIES'] ?? 1_500)
const projectId = 'fuzz/logs'
const app = await openFuzzApp()

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
  const paths = ['/otel/v1/logs', '/v1/logs']
  await sendMutated(app, random, { paths, projectId, count: bodies, someBody: mutatedBody })
  // However many events arrive, they tell of the same few sessions.
  for (const [path, linesMin] of [
    ['/logs/query', bodies / 20],
    ['/calls/stream_query', 50],
  ] as const) {
    const stored = await linesOf(app, path, projectId)
    expect(stored.length).toBeGreaterThan(linesMin)
    for (const record of stored) expect(record).toHaveProperty('attributes')
  }
}, 3_600_000)
