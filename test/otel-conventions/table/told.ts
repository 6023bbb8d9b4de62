import { PriceBook } from '../../../src/domains/costs/price-book.ts'
import type { CompletedCall } from '../../../src/formats/schemas/calls.ts'
import type { Span } from '../../../src/formats/wire/otlp/span.ts'

/** What may be told of the work of a framework by its spans. */
export const columns = ['inputs', 'output', 'model', 'usage', 'cached usage', 'cost', 'kind', 'thread', 'user'] as const
export type Column = (typeof columns)[number]

/** The mapping of a checkout of this repository. */
export type Mapping = (span: Span, projectId: string, redact: (value: unknown) => void) => { readonly call: object }

/** A span as a fixture has it. */
export interface SpanFixture {
  readonly name?: string
  readonly attributes: readonly (readonly [string, unknown])[]
  readonly events?: readonly { readonly name: string; readonly attributes: Readonly<Record<string, unknown>> }[]
}

const prices = new PriceBook('acme/bot', [])
const startedAt = 1_767_225_600_000_000

/** The columns that a span fills. */
export function toldBy({ name = 'work', attributes, events = [] }: SpanFixture, mapping: Mapping): Set<Column> {
  const span: Span = {
    traceId: 'a'.repeat(32),
    spanId: 'b'.repeat(16),
    parentId: null,
    traceState: '',
    name,
    kind: 1,
    start: { micros: startedAt, nanos: 0 },
    end: { micros: startedAt + 1_000_000, nanos: 0 },
    attributes: attributes.map(([key, value]) => [key, value]),
    events: events.map((event) => ({
      name: event.name,
      time: null,
      attributes: Object.entries(event.attributes),
      droppedAttributes: 0,
    })),
    links: [],
    statusCode: 0,
    statusMessage: '',
    flags: 0,
    droppedAttributes: 0,
    droppedEvents: 0,
    droppedLinks: 0,
  }
  const call = mapping(span, 'acme/bot', () => {}).call as CompletedCall
  const { kind, model, user_id } = call.attributes as Readonly<Record<string, unknown>>
  const usage = (call.summary as { usage?: Record<string, Record<string, unknown>> }).usage ?? {}
  const cached = Object.values(usage).some(
    (figures) => (figures['cache_read_input_tokens'] ?? figures['cache_creation_input_tokens']) !== undefined,
  )
  const told: Record<Column, boolean> = {
    inputs: Object.keys(call.inputs).length > 0,
    output: call.output !== undefined && call.output !== null,
    model: typeof model === 'string',
    usage: Object.keys(usage).length > 0,
    'cached usage': cached,
    cost: prices.costsOf(usage, startedAt) !== undefined,
    kind: typeof kind === 'string',
    thread: typeof call.thread_id === 'string',
    user: user_id !== undefined,
  }
  return new Set(columns.filter((column) => told[column]))
}
