import { DomainError } from '../../../lib/errors.ts'
import { telemetryLimits } from '../../../lib/limits/telemetry.ts'
import { messages } from './messages.ts'
import { PlainSpans } from './plain-span.ts'
import { BoundedReader, boundedReader, decodeGroup, hexOf, readable, resourceOf, timeOf } from './protobuf-parts.ts'
import { rejectedGroup, type Span, type SpanGroup, type SpanIdentity, SpanUnreadable } from './span.ts'

/** Field numbers of a span in the protocol, and their wire type. */
const traceId = 1
const spanId = 2
const name = 5
const lengthDelimited = 2

/**
 * Reads the identity of a protobuf span as far as possible: senders write ids and the name before
 * long fields.
 */
function readSpanIdentity(bytes: Uint8Array): SpanIdentity {
  const found = { name: '', traceId: '', spanId: '' }
  const reader = new BoundedReader(bytes, telemetryLimits.spanFieldsMax)
  try {
    while (reader.pos < reader.len) {
      const tag = reader.tag()
      const [field, wireType] = [tag >>> 3, tag & 7]
      if (wireType !== lengthDelimited) reader.skipType(wireType)
      else if (field === traceId) found.traceId = reader.bytes().toHex()
      else if (field === spanId) found.spanId = reader.bytes().toHex()
      else if (field === name) found.name = reader.string()
      else reader.skipType(wireType)
    }
  } catch {
    // Known to be damaged; return what precedes the damage.
  }
  return found
}

/**
 * Decodes the span groups of an ExportTraceServiceRequest in protobuf. Only the frame is decoded at
 * once; spans are decoded lazily, one by one. See docs/decisions/032-otlp-decoding.md.
 *
 * @throws DomainError InvalidRequest if the bytes are no OTLP export
 */
export function decodeProtobuf(bytes: Uint8Array): SpanGroup[] {
  try {
    const { resourceSpans } = messages.ExportRequest.decode(
      new BoundedReader(bytes, telemetryLimits.otlpFrameFieldsMax),
    )
    const plainSpans = new PlainSpans(bytes)
    return resourceSpans.flatMap((ofResource) =>
      decodeGroup(ofResource, ofResource.scopeSpans).map(({ group, of: { spans } }): SpanGroup => {
        if (group instanceof SpanUnreadable) return rejectedGroup(group, spans.length)
        return { ...group, spans: spans.map((span) => () => plainSpans.decode(span) ?? decodeAnySpan(span)) }
      }),
    )
  } catch (cause) {
    throw new DomainError('InvalidRequest', 'Cannot read the body: it is not an export of traces in protobuf', {
      cause,
    })
  }
}

/** @throws SpanUnreadable */
export function decodeAnySpan(bytes: Uint8Array): Span {
  const message = readable(
    () => messages.Span.decode(boundedReader(bytes)),
    'it is damaged',
    () => readSpanIdentity(bytes),
  )
  return {
    traceId: hexOf(message.traceId),
    spanId: hexOf(message.spanId),
    parentId: message.parentSpanId.length === 0 ? null : hexOf(message.parentSpanId),
    traceState: message.traceState,
    name: message.name,
    kind: message.kind,
    start: timeOf(message.startTimeUnixNano),
    end: timeOf(message.endTimeUnixNano),
    ...resourceOf(message),
    events: message.events.map((event) => ({
      name: event.name,
      time: timeOf(event.timeUnixNano),
      ...resourceOf(event),
    })),
    links: message.links.map((link) => ({
      traceId: hexOf(link.traceId),
      spanId: hexOf(link.spanId),
      traceState: link.traceState,
      flags: link.flags,
      ...resourceOf(link),
    })),
    statusCode: message.status?.code ?? 0,
    statusMessage: message.status?.message ?? '',
    flags: message.flags,
    droppedEvents: message.droppedEventsCount,
    droppedLinks: message.droppedLinksCount,
  }
}
