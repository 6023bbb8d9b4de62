import { describe, expect, test } from 'bun:test'
import { type Case, type Cases, spanId } from '../../../../test/otel-conventions/cases/case.ts'
import { codingAgents } from '../../../../test/otel-conventions/cases/coding-agents.ts'
import { frameworks } from '../../../../test/otel-conventions/cases/frameworks.ts'
import { genAi } from '../../../../test/otel-conventions/cases/gen-ai.ts'
import { products } from '../../../../test/otel-conventions/cases/products.ts'
import { standards } from '../../../../test/otel-conventions/cases/standards.ts'
import type { CompletedCall } from '../../schemas/calls.ts'
import type { Span } from '../../wire/otlp/span.ts'
import { spanToCall } from '../spans/span-to-call.ts'

type Table = Cases[string]

const blank: Span = {
  traceId: 'a'.repeat(32),
  spanId,
  parentId: null,
  traceState: '',
  name: 'work',
  kind: 1,
  start: { micros: 1_714_557_600_000_000, nanos: 0 },
  end: { micros: 1_714_557_601_000_000, nanos: 0 },
  attributes: [],
  events: [],
  links: [],
  statusCode: 0,
  statusMessage: '',
  flags: 0,
  droppedAttributes: 0,
  droppedEvents: 0,
  droppedLinks: 0,
}

const callOf = ({ span: name = blank.name, attributes = {}, events = [] }: Case): CompletedCall => {
  const span = {
    ...blank,
    name,
    attributes: Object.entries(attributes),
    events: events.map((event) => ({
      name: event.name,
      time: null,
      attributes: Object.entries(event.attributes),
      droppedAttributes: 0,
    })),
  }
  return spanToCall(span, 'acme/bot', () => {}).call as CompletedCall
}

for (const [convention, table] of [standards, genAi, products, frameworks, codingAgents].flatMap(
  Object.entries<Table>,
)) {
  describe(convention, () => {
    for (const [name, one] of Object.entries(table)) {
      test(name, () => {
        const call = callOf(one) as unknown as Record<string, unknown>
        const given = Object.fromEntries(Object.keys(one.gives).map((member) => [member, call[member]]))
        expect(JSON.parse(JSON.stringify(given))).toEqual(JSON.parse(JSON.stringify(one.gives)))
      })
    }
  })
}
