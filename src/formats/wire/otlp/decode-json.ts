import { isJsonObject } from '../../../lib/json-value.ts'
import { spanKinds, statusCodes } from '../../../lib/stored-span.ts'
import { exportedGroups, JsonMembers, resourceAndScope, resourceOf } from './json-members.ts'
import { rejectedGroup, type Span, type SpanGroup, SpanUnreadable } from './span.ts'

/**
 * Decodes the span groups of an ExportTraceServiceRequest in OTLP's JSON encoding. Spans are
 * decoded lazily, one by one.
 *
 * @throws DomainError InvalidRequest if the text is no OTLP export, RequestTooLarge if it is
 *   nested too deeply
 */
export function decodeJson(bytes: Uint8Array): SpanGroup[] {
  return exportedGroups(bytes, 'resourceSpans', 'traces').flatMap((group: unknown) => {
    const scopes: unknown = isJsonObject(group) ? (group['scopeSpans'] ?? []) : undefined
    if (!isJsonObject(group) || !Array.isArray(scopes))
      return [rejectedGroup(new SpanUnreadable('its resourceSpans are malformed'), 1)]
    return scopes.map((scope: unknown) => spanGroup(group, scope))
  })
}

function spanGroup(group: Record<string, unknown>, scopeSpans: unknown): SpanGroup {
  const spans: unknown = isJsonObject(scopeSpans) ? (scopeSpans['spans'] ?? []) : undefined
  if (!isJsonObject(scopeSpans) || !Array.isArray(spans))
    return rejectedGroup(new SpanUnreadable('its scopeSpans are malformed'), 1)
  try {
    return {
      ...resourceAndScope(group, scopeSpans),
      spans: spans.map((span: unknown) => () => naming(span, decodeSpan)),
    }
  } catch (cause) {
    if (cause instanceof SpanUnreadable) return rejectedGroup(cause, spans.length)
    throw cause
  }
}

/** Adds the span's identity, as far as it is known, to decoding errors. */
function naming(value: unknown, decode: (value: unknown) => Span): Span {
  try {
    return decode(value)
  } catch (cause) {
    if (!(cause instanceof SpanUnreadable) || !isJsonObject(value)) throw cause
    const text = (name: string) => (typeof value[name] === 'string' ? value[name] : '')
    const span = { name: text('name'), traceId: text('traceId'), spanId: text('spanId') }
    throw new SpanUnreadable(cause.message, { cause, span })
  }
}

function decodeSpan(value: unknown): Span {
  const span = new JsonMembers(value, 'span')
  const status = new JsonMembers(span.get('status') ?? {}, 'status')
  return {
    traceId: span.id('traceId'),
    spanId: span.id('spanId'),
    parentId: span.id('parentSpanId') || null,
    traceState: span.text('traceState'),
    name: span.text('name'),
    kind: span.enumerated(
      'kind',
      spanKinds.map((name) => `SPAN_KIND_${name}`),
    ),
    start: span.time('startTimeUnixNano'),
    end: span.time('endTimeUnixNano'),
    ...resourceOf(span),
    events: span.list('events').map((item) => {
      const event = new JsonMembers(item, 'event')
      return { name: event.text('name'), time: event.time('timeUnixNano'), ...resourceOf(event) }
    }),
    links: span.list('links').map((item) => {
      const link = new JsonMembers(item, 'link')
      return {
        traceId: link.id('traceId'),
        spanId: link.id('spanId'),
        traceState: link.text('traceState'),
        flags: link.count('flags'),
        ...resourceOf(link),
      }
    }),
    statusCode: status.enumerated(
      'code',
      statusCodes.map((name) => `STATUS_CODE_${name}`),
    ),
    statusMessage: status.text('message'),
    flags: span.count('flags'),
    droppedEvents: span.count('droppedEventsCount'),
    droppedLinks: span.count('droppedLinksCount'),
  }
}
