import {
  codecs,
  exportOf,
  groupOf,
  newSpanId,
  newTraceId,
  type SpanDraft,
  spanOf,
} from '../conformance/support/otlp.ts'
import type { Random } from '../golden/random.ts'

const drafts: readonly SpanDraft[] = [
  {
    name: 'chat gpt-4o',
    attributes: {
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.prompt.0.role': 'user',
      'gen_ai.prompt.0.content': 'How far is the moon? \u{1f319}',
      'gen_ai.completion.0.content': 'Far',
      'gen_ai.usage.input_tokens': 12,
      'gen_ai.usage.output_tokens': 9,
      'gen_ai.conversation.id': 'talk',
    },
  },
  {
    name: 'tool',
    kind: 3,
    parentSpanId: newSpanId(),
    attributes: {
      'input.value': '{"a": [1, 2, {"b": 1.0}]}',
      'output.value': 'text',
      'llm.token_count.prompt': 5,
      big: 9_007_199_254_740_993n,
      bytes: new Uint8Array([1, 2, 255]),
      list: ['a', 1, true, [1.5, null]],
      object: { a: { b: 'c' }, api_key: 'sk-1' },
      a: 1,
      'a.b': 2,
      'ext.is_turn': true,
    },
    events: [{ name: 'gen_ai.user.message', attributes: { content: 'hi' } }],
    links: [{ traceId: newTraceId(), spanId: newSpanId(), attributes: { why: 'retry' } }],
    status: { code: 2, message: 'failed' },
  },
  { name: '', end: '0' },
]

/** A complete export with a few spans of every kind. */
export function someExport(random: Random): Record<string, unknown> {
  const groups = Array.from({ length: 1 + random.below(2) }, () =>
    groupOf(
      Array.from({ length: 1 + random.below(3) }, () => spanOf(random.pick(drafts))),
      random.pick([{}, { 'service.name': 'bot' }, { 'ext.entity': 'fuzz', 'ext.project': 'other' }]),
    ),
  )
  return exportOf(...groups)
}

export const encodeSpan = (random: Random): Uint8Array<ArrayBuffer> => {
  const { traceId, spanId, ...span } = spanOf(random.pick(drafts.slice(0, 1)))
  const ids = { traceId: Uint8Array.fromHex(traceId as string), spanId: Uint8Array.fromHex(spanId as string) }
  return codecs['Span']!.encode({ ...span, ...ids }).finish()
}

export const frame = (spans: readonly Uint8Array[]): Uint8Array<ArrayBuffer> =>
  codecs['ExportRequest']!.encode({ resourceSpans: [{ scopeSpans: [{ spans }] }] }).finish()
