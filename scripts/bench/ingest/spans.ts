import { SeededRandom } from '../../../src/demo/traces/seeded-random.ts'
import { messages } from '../../../src/formats/wire/otlp/messages.ts'
import { wordSalad } from '../payload/word-salad.ts'

const models = ['gpt-4o', 'gpt-4o-mini', 'claude-sonnet-4-5', 'gemini-2.5-flash']
const firstNanos = 1_767_600_000_000_000_000n

/** Which spans to make. */
export interface SpanSeries {
  /** Number of the first span, which its content and ids derive from. */
  readonly first?: number
  readonly spansPerTrace?: number
  /** Start of span 0. */
  readonly startedNanos?: bigint
  /** From the start of one span to that of the next; a millisecond unless given. */
  readonly stepNanos?: bigint
  /** A word in the messages of every thousandth span. */
  readonly rareWord?: string
}

/**
 * Exports of traces in protobuf, `spansPerExport` spans each: model calls by the conventions for
 * generative AI, about 1 KB per span.
 */
export function* exports(
  spans: number,
  spansPerExport: number,
  series: SpanSeries = {},
): Generator<Uint8Array<ArrayBuffer>> {
  const { first = 0 } = series
  const resource = messages.Resource.encode({ attributes: pairs({ 'service.name': 'bench', 'host.name': 'one' }) })
  const scope = messages.Scope.encode({ name: 'bench-instrumentation', version: '1.0.0' })
  for (let from = 0; from < spans; from += spansPerExport) {
    const count = Math.min(spansPerExport, spans - from)
    const scopeSpans = [
      { scope: scope.finish(), spans: Array.from({ length: count }, (_, i) => spanBytes(first + from + i, series)) },
    ]
    yield messages.ExportRequest.encode({ resourceSpans: [{ resource: resource.finish(), scopeSpans }] }).finish()
  }
}

/** What a span says. */
export interface SpanContent {
  readonly root: number
  readonly model: string
  readonly startNanos: bigint
  readonly endNanos: bigint
  readonly input: string
  readonly output: string
  readonly inputTokens: number
  readonly outputTokens: number
  readonly isError: boolean
}

export function spanContent(index: number, series: SpanSeries): SpanContent {
  const { first = 0, spansPerTrace = 8, startedNanos = firstNanos, stepNanos = 1_000_000n, rareWord } = series
  const random = new SeededRandom(index)
  const model = random.pick(models)
  const startNanos = startedNanos + BigInt(index) * stepNanos
  const word = rareWord !== undefined && index % 1_000 === 7 ? `${rareWord} ` : ''
  return {
    root: index - ((index - first) % spansPerTrace),
    model,
    startNanos,
    endNanos: startNanos + BigInt(random.integer(1, 900)) * 1_000_000n,
    input: word + wordSalad(random, 250),
    output: word + wordSalad(random, 200),
    inputTokens: random.integer(10, 900),
    outputTokens: random.integer(1, 300),
    isError: random.chance(0.02),
  }
}

function spanBytes(index: number, series: SpanSeries): Uint8Array {
  const { root, model, startNanos, endNanos, input, output, ...more } = spanContent(index, series)
  const message = (role: string, content: string) => JSON.stringify([{ role, parts: [{ type: 'text', content }] }])
  return messages.Span.encode({
    traceId: id(root, 16),
    spanId: id(index, 8),
    ...(index !== root && { parentSpanId: id(root, 8) }),
    name: `chat ${model}`,
    kind: 3,
    startTimeUnixNano: String(startNanos),
    endTimeUnixNano: String(endNanos),
    attributes: pairs({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': model,
      'gen_ai.response.model': model,
      'gen_ai.response.id': `chatcmpl-${index}`,
      'gen_ai.conversation.id': `talk-${root}`,
      'gen_ai.request.temperature': 0.7,
      'gen_ai.request.max_tokens': 1024,
      'gen_ai.input.messages': message('user', input),
      'gen_ai.output.messages': message('assistant', output),
      'gen_ai.usage.input_tokens': more.inputTokens,
      'gen_ai.usage.output_tokens': more.outputTokens,
      'server.address': 'api.openai.com',
      'server.port': 443,
    }),
    status: { code: more.isError ? 2 : 0, message: '' },
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

const id = (index: number, bytes: number): Uint8Array => Uint8Array.fromHex(hexId(index, bytes))

/** The id of a span (8 bytes), or of the trace that begins with it (16). */
export const hexId = (index: number, bytes: number): string => (index + 1).toString(16).padStart(bytes * 2, '0')

/** The model that the attributes of a span name. */
export const modelOf = (index: number): string => new SeededRandom(index).pick(models)
