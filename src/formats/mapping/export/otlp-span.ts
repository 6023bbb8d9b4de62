import { isJsonObject, isRawNumber } from '../../../lib/json-value.ts'
import { itemAt } from '../../../lib/present.ts'
import { messages as encoders } from '../../wire/otlp/messages.ts'

/** A 64-bit number in two halves. */
export interface Halves {
  readonly low: number
  readonly high: number
  readonly unsigned: boolean
}

/** An attribute value as the generated encoder takes it. */
type AnyValue =
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  | { readonly intValue: number | Halves }
  | { readonly doubleValue: number }
  | { readonly arrayValue: { readonly values: readonly AnyValue[] } }
  | { readonly kvlistValue: { readonly values: readonly KeyValue[] } }
  | Record<never, never>

export interface KeyValue {
  readonly key: string
  readonly value: AnyValue
}

export const halvesOf = (value: bigint): Halves => ({
  low: Number(BigInt.asIntN(32, value)),
  high: Number(BigInt.asIntN(32, value >> 32n)),
  unsigned: false,
})

/**
 * The attributes that `attributeTree` made a tree of: nested objects become dotted names again.
 *
 * @param jsonNames names of the attributes that are JSON text
 */
export function flatAttributes(tree: unknown, jsonNames: unknown): KeyValue[] {
  const texts = new Set<unknown>(Array.isArray(jsonNames) ? jsonNames : [])
  const found: KeyValue[] = []
  const walk = (value: unknown, name: string) => {
    if (texts.has(name)) found.push({ key: name, value: { stringValue: JSON.stringify(value) } })
    else if (isJsonObject(value) && Object.keys(value).length > 0) {
      for (const [member, inner] of Object.entries(value)) walk(inner, `${name}.${member}`)
    } else found.push({ key: name, value: anyValue(value) })
  }
  if (isJsonObject(tree)) for (const [name, value] of Object.entries(tree)) walk(value, name)
  return found
}

/** A JSON value as an attribute value. */
export function anyValue(value: unknown): AnyValue {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'number') return Number.isSafeInteger(value) ? { intValue: value } : { doubleValue: value }
  if (isRawNumber(value)) return rawNumberValue(value.rawJSON)
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } }
  if (isJsonObject(value)) {
    return { kvlistValue: { values: Object.entries(value).map(([key, inner]) => ({ key, value: anyValue(inner) })) } }
  }
  return {}
}

/** A number that JavaScript would change: an integer if it fits 64 bits. */
function rawNumberValue(text: string): AnyValue {
  if (!/^-?\d+$/.test(text)) return { doubleValue: Number(text) }
  const value = BigInt(text)
  return BigInt.asIntN(64, value) === value ? { intValue: halvesOf(value) } : { doubleValue: Number(text) }
}

/** A span as the generated encoder takes it. */
interface SpanToSend {
  readonly traceId: Uint8Array
  readonly spanId: Uint8Array
  readonly parentSpanId?: Uint8Array
  readonly traceState?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: Halves
  readonly endTimeUnixNano: Halves
  readonly attributes: readonly KeyValue[]
  readonly droppedAttributesCount?: number
  readonly events?: readonly object[]
  readonly droppedEventsCount?: number
  readonly links?: readonly object[]
  readonly droppedLinksCount?: number
  readonly status?: { readonly code: number; readonly message: string }
  readonly flags?: number
}

/** Attributes of a resource or scope. */
export interface SourceToSend {
  readonly attributes: readonly { readonly key: string; readonly value: AnyValue }[]
  readonly droppedAttributesCount?: number
}

/** A span with what produced it. Sources with the same key are equal. */
export interface ExportedSpan {
  readonly span: SpanToSend
  readonly resource: SourceToSend
  readonly resourceUrl: string
  readonly scope: SourceToSend & { readonly name: string; readonly version: string }
  readonly scopeUrl: string
  readonly resourceKey: string
  readonly scopeKey: string
}

/** Encodes spans as one export request in protobuf, grouped by resource and scope. */
export function encodeExport(spans: readonly ExportedSpan[]): Uint8Array<ArrayBuffer> {
  const byResource = Map.groupBy(spans, ({ resourceKey }) => resourceKey)
  const resourceSpans = [...byResource.values()].map((ofResource) => ({
    resource: encoders.Resource.encode(itemAt(ofResource, 0).resource).finish(),
    schemaUrl: itemAt(ofResource, 0).resourceUrl,
    scopeSpans: [...Map.groupBy(ofResource, ({ scopeKey }) => scopeKey).values()].map((ofScope) => ({
      scope: encoders.Scope.encode(itemAt(ofScope, 0).scope).finish(),
      schemaUrl: itemAt(ofScope, 0).scopeUrl,
      spans: ofScope.map(({ span }) => encoders.Span.encode(span).finish()),
    })),
  }))
  return encoders.ExportRequest.encode({ resourceSpans }).finish()
}
