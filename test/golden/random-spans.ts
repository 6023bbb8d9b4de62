import type { Span } from '../../src/formats/wire/otlp/span.ts'
import type { Random } from './random.ts'

const plainTexts = ['', 'a', 'hello', '日本語 🎉', 'a "quoted" \\ text', 'x'.repeat(40), 'true', '{}', 'i', 'c']
const marks = ['\u0001i', '\u0001c']
const names = [
  'gen_ai.input.messages',
  'gen_ai.output.messages',
  'gen_ai.input',
  'gen_ai.tool.call.arguments',
  'gen_ai.tool.call.result',
  'gen_ai.request.model',
  'gen_ai.usage.input_tokens',
  'gen_ai.conversation.id',
  'input.value',
  'output.value',
  'input',
  'output',
  'traceloop.entity.input',
  'langfuse.observation.output',
  'final_result',
  'llm.input_messages.0.message.content',
  'customer.tier',
  'customer',
  'api_key',
  '__proto__',
  'a.1.b',
]
const events = ['exception', 'gen_ai.client.inference.operation.details', 'log', 'gen_ai.user.message']

/** A span with attributes of conventions, of users, and some that look like marks. */
export function randomSpan(random: Random, index: number): Span {
  const id = (digits: number) => Array.from({ length: digits }, () => '123456789abcdef'[random.below(15)]).join('')
  const start = { micros: 1_767_600_000_000_000 + index * 1000 + random.below(1000), nanos: nanos(random) }
  return {
    traceId: id(32),
    spanId: id(16),
    parentId: random.below(3) === 0 ? null : random.below(9) === 0 ? '0'.repeat(16) : id(16),
    traceState: random.below(6) === 0 ? 'vendor=1' : '',
    name: random.pick(['chat', 'tool call', '']),
    kind: random.below(7),
    start: random.below(12) === 0 ? null : start,
    end: random.below(4) === 0 && start.nanos === 0 ? null : { micros: start.micros + 5, nanos: nanos(random) },
    attributes: attributes(random, 8),
    events: many(random, 3, () => ({
      name: random.pick(events),
      time: start,
      attributes: attributes(random, 3),
      droppedAttributes: random.below(2),
    })),
    links: many(random, 2, () => ({
      traceId: id(32),
      spanId: id(16),
      traceState: textOf(random),
      attributes: attributes(random, 2),
      droppedAttributes: 0,
      flags: random.below(2),
    })),
    droppedAttributes: random.below(2),
    statusCode: random.below(4),
    statusMessage: textOf(random),
    flags: random.below(3),
    droppedEvents: random.below(2),
    droppedLinks: random.below(2),
  }
}

export const attributes = (random: Random, max: number): Span['attributes'] =>
  many(random, max, () => [random.pick(names), value(random)] as const)

const textOf = (random: Random): string => random.pick(random.below(60) === 0 ? marks : plainTexts)

const many = <T>(random: Random, max: number, make: () => T): T[] => Array.from({ length: random.below(max + 1) }, make)

const nanos = (random: Random): number => (random.below(4) === 0 ? random.below(1000) : 0)

function value(random: Random): unknown {
  const text = textOf(random)
  const messages = [{ role: 'user', content: textOf(random), api_key: 'secret', 2: textOf(random), 1.5: null }]
  switch (random.below(8)) {
    case 0:
      return random.pick([0, 1.5, -3, true, null, 2 ** 60])
    case 1:
      return [text, 'b']
    case 2:
      return messages
    case 3:
      return `[{"role": "user", "n": 1.0, "content": ${JSON.stringify(text)}, "2": [], "1": 12345678901234567890}]`
    case 4:
      return `{"messages": [${JSON.stringify(text)}], "value": "\\ud83d\\ude00 and \\\\ud83d and \\ud83d"}`
    case 5:
      return JSON.stringify(messages)
    default:
      return `${text} ${'long '.repeat(random.below(20))}`.trim()
  }
}
