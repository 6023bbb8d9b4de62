import { DomainError } from '../../errors.ts'
import { isJsonObject } from '../../kernel/json-value.ts'
import { spanKinds, statusCodes } from '../../kernel/span-names.ts'
import { limits } from '../../limits.ts'
import { parseJsonExactly } from '../json-body.ts'
import { jsonAttributeEntries } from './json-any-value.ts'
import { JsonMembers } from './json-members.ts'
import {
  type AttributeEntries,
  rejectedGroup,
  type Span,
  type SpanGroup,
  type SpanResource,
  type SpanScope,
  SpanUnreadable,
} from './span.ts'

/**
 * Decodes the span groups of an ExportTraceServiceRequest in OTLP's JSON encoding. Spans are
 * decoded lazily, one by one.
 *
 * @throws DomainError InvalidRequest if the text is not such a message, RequestTooLarge if it is
 *   nested too deeply
 */
export function decodeJson(bytes: Uint8Array): SpanGroup[] {
  const body = parse(new TextDecoder().decode(bytes))
  const groups = isJsonObject(body)
    ? (body['resourceSpans'] ?? (Object.keys(body).length === 0 ? [] : undefined))
    : undefined
  if (!Array.isArray(groups)) {
    throw new DomainError(
      'InvalidRequest',
      'Cannot read the body: it is not an export of traces with an array "resourceSpans"',
    )
  }
  return groups.flatMap((group: unknown) => {
    const scopes = isJsonObject(group) ? (group['scopeSpans'] ?? []) : undefined
    if (!Array.isArray(scopes)) return [rejectedGroup(new SpanUnreadable('its resourceSpans are malformed'), 1)]
    return scopes.map((scope: unknown) => spanGroup(group as Record<string, unknown>, scope))
  })
}

function parse(text: string): unknown {
  try {
    return parseJsonExactly(text, limits.otlpJsonDepthMax)
  } catch (cause) {
    if (cause instanceof DomainError) throw cause
    throw new DomainError('InvalidRequest', 'Cannot read the body: it is not JSON', { cause })
  }
}

function spanGroup(group: Record<string, unknown>, scopeSpans: unknown): SpanGroup {
  const spans: unknown = isJsonObject(scopeSpans) ? (scopeSpans['spans'] ?? []) : undefined
  if (!Array.isArray(spans)) return rejectedGroup(new SpanUnreadable('its scopeSpans are malformed'), 1)
  try {
    return {
      resource: { ...resourceOf(new JsonMembers(group['resource'] ?? {}, 'resource')), schemaUrl: schemaOf(group) },
      scope: {
        ...scopeOf((scopeSpans as Record<string, unknown>)['scope'] ?? {}),
        schemaUrl: schemaOf(scopeSpans as Record<string, unknown>),
      },
      spans: spans.map((span: unknown) => () => naming(span, decodeSpan)),
    }
  } catch (cause) {
    if (cause instanceof SpanUnreadable) return rejectedGroup(cause, spans.length)
    throw cause
  }
}

/** Not worth rejecting a span. */
function schemaOf({ schemaUrl }: Readonly<Record<string, unknown>>): string {
  return typeof schemaUrl === 'string' ? schemaUrl : ''
}

const resourceOf = (members: JsonMembers): Omit<SpanResource, 'schemaUrl'> => ({
  attributes: attributesOf(members),
  droppedAttributes: members.count('droppedAttributesCount'),
})

function scopeOf(value: unknown): Omit<SpanScope, 'schemaUrl'> {
  const members = new JsonMembers(value, 'scope')
  return { name: members.text('name'), version: members.text('version'), ...resourceOf(members) }
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

const attributesOf = (members: JsonMembers): AttributeEntries => jsonAttributeEntries(members.list('attributes'))
