import { SeededRandom } from '../../../src/demo/traces/seeded-random.ts'
import { otlp } from '../../../src/wire/otlp/messages.generated.js'
import { wordSalad } from '../payload/word-salad.ts'

const spansPerTrace = 8
const models = ['gpt-4o', 'gpt-4o-mini', 'claude-sonnet-4-5', 'gemini-2.5-flash']
const startNanos = 1_767_600_000_000_000_000n

interface Encoder {
  encode(message: unknown): { finish(): Uint8Array<ArrayBuffer> }
}
const codecs = otlp as Readonly<Record<string, Encoder>>

/**
 * Exports of traces in protobuf, `spansPerExport` spans each: model calls by the conventions for
 * generative AI, about 1 KB per span.
 *
 * @param startedNanos start of the first span; each further one starts a millisecond later
 */
export function* exports(
  spans: number,
  spansPerExport: number,
  startedNanos = startNanos,
): Generator<Uint8Array<ArrayBuffer>> {
  const resource = codecs['Resource']!.encode({ attributes: pairs({ 'service.name': 'bench', 'host.name': 'one' }) })
  const scope = codecs['Scope']!.encode({ name: 'bench-instrumentation', version: '1.0.0' })
  for (let from = 0; from < spans; from += spansPerExport) {
    const count = Math.min(spansPerExport, spans - from)
    const scopeSpans = [
      { scope: scope.finish(), spans: Array.from({ length: count }, (_, i) => spanBytes(from + i, startedNanos)) },
    ]
    yield codecs['ExportRequest']!.encode({ resourceSpans: [{ resource: resource.finish(), scopeSpans }] }).finish()
  }
}

function spanBytes(index: number, startedNanos: bigint): Uint8Array {
  const random = new SeededRandom(index)
  const root = index - (index % spansPerTrace)
  const model = random.pick(models)
  const start = startedNanos + BigInt(index) * 1_000_000n
  const message = (role: string, chars: number) => [
    { role, parts: [{ type: 'text', content: wordSalad(random, chars) }] },
  ]
  return codecs['Span']!.encode({
    traceId: id(root, 16),
    spanId: id(index, 8),
    ...(index !== root && { parentSpanId: id(root, 8) }),
    name: `chat ${model}`,
    kind: 3,
    startTimeUnixNano: String(start),
    endTimeUnixNano: String(start + BigInt(random.integer(1, 900)) * 1_000_000n),
    attributes: pairs({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': model,
      'gen_ai.response.model': model,
      'gen_ai.response.id': `chatcmpl-${index}`,
      'gen_ai.conversation.id': `talk-${root}`,
      'gen_ai.request.temperature': 0.7,
      'gen_ai.request.max_tokens': 1024,
      'gen_ai.input.messages': JSON.stringify(message('user', 250)),
      'gen_ai.output.messages': JSON.stringify(message('assistant', 200)),
      'gen_ai.usage.input_tokens': random.integer(10, 900),
      'gen_ai.usage.output_tokens': random.integer(1, 300),
      'server.address': 'api.openai.com',
      'server.port': 443,
    }),
    status: { code: random.chance(0.02) ? 2 : 0, message: '' },
  }).finish()
}

const pairs = (attributes: Readonly<Record<string, string | number>>) =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value:
      typeof value === 'string'
        ? { stringValue: value }
        : Number.isInteger(value)
          ? { intValue: value }
          : { doubleValue: value },
  }))

function id(index: number, bytes: number): Uint8Array {
  return Uint8Array.fromHex((index + 1).toString(16).padStart(bytes * 2, '0'))
}
