import protobuf from 'protobufjs/minimal.js'
import { telemetryLimits } from '../../../lib/limits/telemetry.ts'
import { attributeEntries } from './any-value.ts'
import { type Long, messages, type ResourceMessage } from './messages.ts'
import {
  type AttributeEntries,
  type NanoTime,
  type SpanIdentity,
  type SpanResource,
  type SpanScope,
  SpanUnreadable,
} from './span.ts'

/**
 * Reads protobuf from untrusted bytes. Gives up after `fieldsMax` fields: two bytes on the wire can
 * become an object of a hundred bytes. Invalid UTF-8 is replaced by U+FFFD, because exporters
 * truncate long values anywhere. The library bounds nesting.
 */
export class BoundedReader extends protobuf.Reader {
  private readonly text: Buffer
  private fieldsLeft: number

  constructor(bytes: Uint8Array, fieldsMax: number) {
    super(bytes)
    this.discardUnknown = true
    this.fieldsLeft = fieldsMax
    this.text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  override tag(): number {
    this.fieldsLeft--
    if (this.fieldsLeft < 0) throw new SpanUnreadable('it has too many values')
    return super.tag()
  }

  override stringVerify(): string {
    return this.string()
  }

  override string(): string {
    const length = this.size()
    const start = this.pos
    const end = start + length
    if (end > this.len) throw new RangeError('string exceeds its message')
    this.pos = end
    return this.text.toString('utf8', start, end)
  }
}

interface ResourceBytes {
  readonly resource: Uint8Array
  readonly schemaUrl: string
}

interface ScopeBytes {
  readonly scope: Uint8Array
  readonly schemaUrl: string
}

interface Group {
  readonly resource: SpanResource
  readonly scope: SpanScope
}

/**
 * Decodes a resource and its scopes: for each scope, both together, or why one of them cannot be
 * read.
 */
export function decodeGroup<Scope extends ScopeBytes>(
  { resource, schemaUrl }: ResourceBytes,
  scopes: readonly Scope[],
): { readonly group: Group | SpanUnreadable; readonly of: Scope }[] {
  const decodedResource = orUnreadable(() => decodeResource(resource, schemaUrl))
  return scopes.map((of) => {
    const scope = orUnreadable(() => decodeScope(of.scope, of.schemaUrl))
    if (decodedResource instanceof SpanUnreadable) return { group: decodedResource, of }
    return { group: scope instanceof SpanUnreadable ? scope : { resource: decodedResource, scope }, of }
  })
}

function decodeResource(bytes: Uint8Array, schemaUrl: string): SpanResource {
  const message = readable(() => messages.Resource.decode(boundedReader(bytes)), 'its resource is damaged')
  return { ...resourceOf(message), schemaUrl }
}

function decodeScope(bytes: Uint8Array, schemaUrl: string): SpanScope {
  const message = readable(() => messages.Scope.decode(boundedReader(bytes)), 'its scope is damaged')
  return { name: message.name, version: message.version, ...resourceOf(message), schemaUrl }
}

export const boundedReader = (bytes: Uint8Array) => new BoundedReader(bytes, telemetryLimits.spanFieldsMax)

/** Parts shared by resources, scopes, spans, events, links and log records. */
export const resourceOf = (message: ResourceMessage): { attributes: AttributeEntries; droppedAttributes: number } => ({
  attributes: attributeEntries(message.attributes),
  droppedAttributes: message.droppedAttributesCount,
})

/** The library's own messages are about bytes and do not help the sender. */
export function readable<T>(decode: () => T, complaint: string, naming?: () => SpanIdentity): T {
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

export const hexOf = (bytes: Uint8Array): string => bytes.toHex()

/** Exact: a nanosecond count exceeds a double's precision. Zero means absent. */
export function timeOf({ low, high }: Pick<Long, 'low' | 'high'>): NanoTime | null {
  const upper = high >>> 0
  const lower = low >>> 0
  if (upper === 0 && lower === 0) return null
  // upper * 2^32 + lower, divided by 1000 in two steps that both stay exact.
  const rest = (upper % 1000) * 2 ** 32 + lower
  return { micros: Math.floor(upper / 1000) * 2 ** 32 + Math.floor(rest / 1000), nanos: rest % 1000 }
}
