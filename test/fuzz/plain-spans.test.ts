import { expect, test } from 'bun:test'
import { decodeAnySpan } from '../../src/formats/wire/otlp/decode-protobuf.ts'
import { PlainSpans } from '../../src/formats/wire/otlp/plain-span.ts'
import { binary, codecs, newSpanId, newTraceId, spanOf } from '../conformance/support/otlp.ts'
import { Random, seedOf } from '../golden/random.ts'
import { mutateBytes } from './mutate.ts'

const rounds = 20_000

const someText = (random: Random): string =>
  random.pick(['', 'gpt-4o', 'x'.repeat(random.below(300)), 'ä\u{1f319}\u0000', '__proto__', `n${random.below(50)}`])

function someValue(random: Random, depth = 0): unknown {
  switch (random.below(depth > 3 ? 7 : 9)) {
    case 0:
      return random.below(2) === 0
    case 1:
      return random.pick([0, 1, 127, 128, 2 ** 31, 2 ** 40, -1])
    case 2:
      return random.pick([2n ** 49n - 1n, 2n ** 49n, 2n ** 53n, 2n ** 62n])
    case 3:
      return random.pick([0.5, -0.1, 1e300, Number.NaN, Number.POSITIVE_INFINITY])
    case 4:
      return random.below(4) === 0 ? null : random.below(4) === 0 ? new Uint8Array([1, 2, 255]) : someText(random)
    case 7:
      return Array.from({ length: random.below(4) }, () => someValue(random, depth + 1))
    case 8:
      return someAttributes(random, depth + 1)
    default:
      return someText(random)
  }
}

const someAttributes = (random: Random, depth = 0): Record<string, unknown> =>
  Object.fromEntries(
    Array.from({ length: random.below(8) }, () => [someText(random).slice(0, 60), someValue(random, depth)]),
  )

function someSpan(random: Random): Uint8Array<ArrayBuffer> {
  const draft = spanOf({
    traceId: random.pick([newTraceId(), 'ab'.repeat(16), '']),
    spanId: newSpanId(),
    ...(random.below(2) === 0 && { parentSpanId: random.pick([newSpanId(), '', '00'.repeat(8)]) }),
    traceState: someText(random),
    name: someText(random),
    kind: random.below(7),
    attributes: someAttributes(random),
    ...(random.below(4) === 0 && { events: [{ name: 'e', attributes: someAttributes(random) }] }),
    status: { code: random.below(3), message: someText(random) },
  })
  const counts = random.below(3) === 0 ? { droppedEventsCount: random.below(300), flags: random.below(2 ** 31) } : {}
  return codecs['Span']!.encode({ ...(binary(draft) as object), ...counts }).finish()
}

test(`${rounds} spans are plain, or left to the complete decoder, which reads the same`, () => {
  const random = new Random(seedOf('plain spans'))
  let plain = 0
  for (let round = 0; round < rounds; round++) {
    const whole = someSpan(random)
    const bytes = random.below(2) === 0 ? whole : mutateBytes(random, whole)
    const before = random.below(30)
    // What comes before and after belongs to other spans.
    const body = new Uint8Array(before + bytes.byteLength + random.below(30)).fill(random.below(256))
    body.set(bytes, before)
    const span = body.subarray(before, before + bytes.byteLength)
    const decoded = new PlainSpans(body).decode(span)
    if (decoded === undefined) continue
    plain++
    expect(decoded).toEqual(decodeAnySpan(span))
  }
  expect(plain).toBeGreaterThan(rounds / 10)
}, 120_000)
