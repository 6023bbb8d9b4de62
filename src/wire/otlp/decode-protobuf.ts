import { DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { attributeEntries } from './any-value.ts'
import { BoundedReader } from './bounded-reader.ts'
import { type Long, messages, type ResourceMessage } from './messages.ts'
import {
  type AttributeEntries,
  type NanoTime,
  rejectedGroup,
  type Span,
  type SpanGroup,
  type SpanIdentity,
  type SpanResource,
  type SpanScope,
  SpanUnreadable,
} from './span.ts'
import { readSpanIdentity } from './span-identity.ts'

/**
 * Decodes the span groups of an ExportTraceServiceRequest in protobuf. Only the frame is decoded at
 * once; spans are decoded lazily, one by one.
 *
 * @throws DomainError InvalidRequest if the bytes are not such a message
 */
export function decodeProtobuf(bytes: Uint8Array): SpanGroup[] {
  try {
    const { resourceSpans } = messages.ExportRequest.decode(new BoundedReader(bytes, limits.otlpFrameFieldsMax))
    return resourceSpans.flatMap(({ resource, schemaUrl, scopeSpans }): SpanGroup[] => {
      const decodedResource = orUnreadable(() => decodeResource(resource, schemaUrl))
      return scopeSpans.map(({ scope, schemaUrl: ofScope, spans }) => {
        const decodedScope = orUnreadable(() => decodeScope(scope, ofScope))
        const broken = [decodedResource, decodedScope].find((part) => part instanceof SpanUnreadable)
        if (broken !== undefined) return rejectedGroup(broken as SpanUnreadable, spans.length)
        return {
          resource: decodedResource as SpanResource,
          scope: decodedScope as SpanScope,
          spans: spans.map((span) => () => decodeSpan(span)),
        }
      })
    })
  } catch (cause) {
    throw new DomainError('InvalidRequest', 'Cannot read the body: it is not an export of traces in protobuf', {
      cause,
    })
  }
}

function decodeSpan(bytes: Uint8Array): Span {
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

function decodeResource(bytes: Uint8Array, schemaUrl: string): SpanResource {
  const message = readable(() => messages.Resource.decode(boundedReader(bytes)), 'its resource is damaged')
  return { ...resourceOf(message), schemaUrl }
}

function decodeScope(bytes: Uint8Array, schemaUrl: string): SpanScope {
  const message = readable(() => messages.Scope.decode(boundedReader(bytes)), 'its scope is damaged')
  return { name: message.name, version: message.version, ...resourceOf(message), schemaUrl }
}

const boundedReader = (bytes: Uint8Array) => new BoundedReader(bytes, limits.spanFieldsMax)

const resourceOf = (message: ResourceMessage): { attributes: AttributeEntries; droppedAttributes: number } => ({
  attributes: attributeEntries(message.attributes),
  droppedAttributes: message.droppedAttributesCount,
})

/** The library's own messages are about bytes and do not help the sender. */
function readable<T>(decode: () => T, complaint: string, naming?: () => SpanIdentity): T {
  try {
    return decode()
  } catch (cause) {
    const reason = cause instanceof SpanUnreadable ? cause.message : complaint
    throw new SpanUnreadable(reason, { cause, ...(naming && { span: naming() }) })
  }
}

function orUnreadable<T>(decode: () => T): T | SpanUnreadable {
  try {
    return decode()
  } catch (cause) {
    if (cause instanceof SpanUnreadable) return cause
    throw cause
  }
}

const hexOf = (bytes: Uint8Array): string => bytes.toHex()

/** Exact: a nanosecond count exceeds a double's precision. Zero means absent. */
function timeOf({ low, high }: Long): NanoTime | null {
  const upper = high >>> 0
  const lower = low >>> 0
  if (upper === 0 && lower === 0) return null
  // upper * 2^32 + lower, divided by 1000 in two steps that both stay exact.
  const rest = (upper % 1000) * 2 ** 32 + lower
  return { micros: Math.floor(upper / 1000) * 2 ** 32 + Math.floor(rest / 1000), nanos: rest % 1000 }
}
