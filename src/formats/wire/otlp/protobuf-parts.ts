import protobuf from 'protobufjs/minimal.js'
import { objectInOrder, rawNumber } from '../../../lib/json-value.ts'
import { telemetryLimits } from '../../../lib/limits/telemetry.ts'
import { type AnyValueMessage, type KeyValueMessage, type Long, messages, type ResourceMessage } from './messages.ts'
import {
  type AttributeEntries,
  doubleValue,
  type NanoTime,
  type SpanIdentity,
  type SpanResource,
  type SpanScope,
  SpanUnreadable,
} from './span.ts'

export const attributeEntries = (pairs: readonly KeyValueMessage[]): AttributeEntries =>
  pairs.map(({ key, value }) => [key, jsonValue(value)] as const)

/**
 * The JSON value of an attribute. Bytes become base64 (RFC 4648); numbers without a JSON form
 * become text.
 */
export function jsonValue(value: AnyValueMessage | null): unknown {
  switch (value?.value) {
    case undefined:
      return null
    case 'stringValue':
      return value.stringValue
    case 'boolValue':
      return value.boolValue
    case 'intValue':
      return integerValue(value.intValue)
    case 'doubleValue':
      return doubleValue(value.doubleValue)
    case 'arrayValue':
      return (value.arrayValue?.values ?? []).map(jsonValue)
    case 'kvlistValue':
      return objectInOrder(attributeEntries(value.kvlistValue?.values ?? []))
    case 'bytesValue':
      return value.bytesValue.toBase64()
    default:
      throw new SpanUnreadable('it has a value of an unknown kind')
  }
}

function integerValue(value: Long): unknown {
  const { low, high } = value
  if (high === 0) return low >>> 0
  const number = high * 2 ** 32 + (low >>> 0)
  return Number.isSafeInteger(number) ? number : rawNumber(value.toString())
}

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
