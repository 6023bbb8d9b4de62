import { expect, test } from 'bun:test'
import { exportOf, groupOf, newSpanId, newTraceId, spanOf, toProtobuf } from '../conformance/support/otlp.ts'
import { Random, seedOf } from '../golden/random.ts'
import { openFuzzApp } from './fuzz-app.ts'
import { mutateBytes } from './mutate.ts'
import { linesOf } from './mutated-exports.ts'
import { encodeSpan, frame, someExport } from './otlp-bodies.ts'

const exportsSent = 400
const app = await openFuzzApp()
const padding = 'x'.repeat(40_000)
/** A field that no message of the protocol has, with 40,000 bytes. */
const paddingField = new Uint8Array([0xfa, 0x3e, 0xc0, 0xb8, 0x02, ...new TextEncoder().encode(padding)])

const types = { json: 'application/json', protobuf: 'application/x-protobuf' }

interface Export {
  readonly type: string
  readonly body: Uint8Array<ArrayBuffer>
  /** The same, so large that a thread reads it. */
  readonly large: Uint8Array<ArrayBuffer>
}

const inJson = (value: Record<string, unknown>): Export => ({
  type: types.json,
  body: new TextEncoder().encode(JSON.stringify(value)),
  large: new TextEncoder().encode(JSON.stringify({ ...value, padding })),
})

const inProtobuf = (body: Uint8Array<ArrayBuffer>): Export => ({
  type: types.protobuf,
  body,
  large: new Uint8Array([...body, ...paddingField]),
})

/** Spans of a conversation in pieces, inner ones first, the outermost perhaps never. */
class Conversation {
  private readonly traceId = newTraceId()
  private readonly ids = Array.from({ length: 6 }, newSpanId)

  next(random: Random): Record<string, unknown> {
    const spans = this.ids
      .flatMap((spanId, index) => (random.below(2) === 0 ? [] : [{ spanId, parentSpanId: this.ids[index - 1] }]))
      .reverse()
      .map(({ spanId, parentSpanId }) =>
        spanOf({
          traceId: this.traceId,
          spanId,
          ...(parentSpanId !== undefined && { parentSpanId }),
          name: random.pick(['chat', 'tool', 'invoke agent']),
          attributes: { ...(random.below(4) > 0 && { 'gen_ai.conversation.id': 'talk' }), 'input.value': 'hi' },
        }),
      )
    return exportOf(groupOf(spans))
  }
}

const judged = () =>
  spanOf({
    events: [
      {
        name: 'gen_ai.evaluation.result',
        attributes: { 'gen_ai.evaluation.name': 'tone', 'gen_ai.evaluation.score.value': 0.5 },
      },
    ],
  })

function someSpans(random: Random, talk: Conversation): Export {
  const kind = random.below(12)
  if (kind < 4) return random.below(2) === 0 ? inJson(talk.next(random)) : inProtobuf(toProtobuf(talk.next(random)))
  if (kind === 4) return inProtobuf(frame([encodeSpan(random), mutateBytes(random, encodeSpan(random))]))
  if (kind === 5) return inJson(exportOf(groupOf([judged()])))
  if (kind === 6) return inJson(exportOf(groupOf([spanOf(), { ...spanOf(), spanId: 'zz' }])))
  if (kind === 7) return inJson(exportOf(groupOf([spanOf()]), groupOf([spanOf()], { 'ext.entity': 'no project' })))
  const whole = someExport(random)
  return random.below(2) === 0 ? inJson(whole) : inProtobuf(toProtobuf(whole))
}

async function answerTo(projectId: string, type: string, body: Uint8Array<ArrayBuffer>) {
  const headers = { 'content-type': type, project_id: projectId }
  const answer = await app.send('/v1/traces', { method: 'POST', body, headers })
  return [answer.status, (await answer.bytes()).toHex()]
}

test(`${exportsSent} exports are answered and stored the same by threads and by the main thread`, async () => {
  const random = new Random(seedOf('exports in threads'))
  const { intake } = app.context.services
  const prepare = intake.prepareSpans.bind(intake)
  let prepared = 0
  intake.prepareSpans = async (bytes, sent) => {
    const spans = await prepare(bytes, sent)
    if (spans !== undefined) prepared++
    return spans
  }
  let talk = new Conversation()
  for (let sent = 0; sent < exportsSent; sent++) {
    if (sent % 10 === 0) talk = new Conversation()
    const { type, body, large } = someSpans(random, talk)
    while (!intake.accepts(1_000_000)) await Bun.sleep(20)
    const expected = await answerTo('fuzz/small', type, body)
    expect(await answerTo('fuzz/large', type, large)).toEqual(expected)
  }
  expect(prepared).toBeGreaterThan(exportsSent / 3)
  const stored = async (projectId: string) => {
    const lines = (await linesOf(app, '/calls/stream_query', projectId)) as Record<string, unknown>[]
    return lines.map((call) => JSON.stringify(call).replaceAll(projectId, 'fuzz/any')).sort()
  }
  const expected = await stored('fuzz/small')
  expect(expected.length).toBeGreaterThan(exportsSent)
  expect(await stored('fuzz/large')).toEqual(expected)
}, 600_000)
