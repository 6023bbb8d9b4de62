import { DomainError } from '../../../lib/errors.ts'
import { isJsonObject, isRawNumber, objectInOrder, rawNumber } from '../../../lib/json-value.ts'
import { telemetryLimits } from '../../../lib/limits/telemetry.ts'
import { parseJsonExactly } from '../json-body.ts'
import {
  type AttributeEntries,
  doubleValue,
  type NanoTime,
  type SpanResource,
  type SpanScope,
  SpanUnreadable,
} from './span.ts'

/** The largest unsigned 64-bit number. */
const nanosMax = '18446744073709551615'

type JsonObject = Readonly<Record<string, unknown>>

/**
 * Members of a message in OTLP's JSON encoding
 * (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding). null counts as absent.
 */
export class JsonMembers {
  private readonly object: JsonObject
  private readonly what: string

  /** @throws SpanUnreadable if `value` is not an object */
  constructor(value: unknown, what: string) {
    if (!isJsonObject(value)) throw new SpanUnreadable(`its ${what} is not a JSON object`)
    this.object = value
    this.what = what
  }

  has(name: string): boolean {
    return this.get(name) !== undefined
  }

  get(name: string): unknown {
    return Object.hasOwn(this.object, name) ? (this.object[name] ?? undefined) : undefined
  }

  text(name: string): string {
    const value = this.get(name) ?? ''
    return typeof value === 'string' ? value : this.refuse(name, 'a text')
  }

  list(name: string): readonly unknown[] {
    const value = this.get(name) ?? []
    return Array.isArray(value) ? value : this.refuse(name, 'a list')
  }

  count(name: string): number {
    const value = Number(this.get(name) ?? 0)
    return Number.isInteger(value) && value >= 0 && value <= 0xffff_ffff ? value : this.refuse(name, 'a count')
  }

  /** An id in hexadecimal digits of either case. */
  id(name: string): string {
    const value = this.text(name)
    return /^(?:[0-9a-fA-F]{2})*$/.test(value) ? value.toLowerCase() : this.refuse(name, 'hexadecimal')
  }

  /** The number of an enum value, given as a number or by name: `names[i]` is the name of `i`. */
  enumerated(name: string, names: readonly string[]): number {
    const value = this.get(name) ?? 0
    if (typeof value === 'number') return value
    const index = typeof value === 'string' ? names.indexOf(value) : -1
    return index >= 0 ? index : this.refuse(name, `one of ${names.join(', ')}`)
  }

  /** Nanoseconds since 1970, as a number or a string. Zero means absent. */
  time(name: string): NanoTime | null {
    const value = this.get(name) ?? 0
    const digits = isRawNumber(value) ? value.rawJSON : String(value)
    if (!/^\d{1,20}$/.test(digits) || (digits.length === 20 && digits > nanosMax))
      return this.refuse(name, 'a number of nanoseconds')
    if (Number(digits) === 0) return null
    return { micros: Number(digits.slice(0, -3)), nanos: Number(digits.slice(-3)) }
  }

  private refuse(name: string, wanted: string): never {
    throw new SpanUnreadable(`${name} of its ${this.what} is not ${wanted}`)
  }
}

/** @throws SpanUnreadable */
export const jsonAttributeEntries = (pairs: readonly unknown[], depth = 0): AttributeEntries =>
  pairs.map((pair) => {
    const members = new JsonMembers(pair, 'attribute')
    return [members.text('key'), jsonAnyValue(members.get('value'), depth)] as const
  })

/**
 * The JSON value of an attribute or a body.
 *
 * @throws SpanUnreadable
 */
export function jsonAnyValue(value: unknown, depth = 0): unknown {
  if (value === undefined) return null
  if (depth > telemetryLimits.attributeDepthMax) throw new SpanUnreadable('it has a value that is nested too deeply')
  const members = new JsonMembers(value, 'attribute value')
  if (members.has('stringValue')) return members.text('stringValue')
  if (members.has('boolValue')) return members.get('boolValue') === true || members.get('boolValue') === 'true'
  if (members.has('intValue')) return integerValue(members.get('intValue'))
  if (members.has('doubleValue')) return doubleOf(members.get('doubleValue'))
  if (members.has('bytesValue')) return members.text('bytesValue')
  if (members.has('arrayValue')) {
    const list = new JsonMembers(members.get('arrayValue'), 'list').list('values')
    return list.map((item) => jsonAnyValue(item ?? undefined, depth + 1))
  }
  if (members.has('kvlistValue')) {
    const pairs = new JsonMembers(members.get('kvlistValue'), 'list of pairs').list('values')
    return objectInOrder(jsonAttributeEntries(pairs, depth + 1))
  }
  return null
}

/** The protocol writes 64-bit integers as text; numbers are accepted too. */
function integerValue(value: unknown): unknown {
  const digits = isRawNumber(value) ? value.rawJSON : String(value)
  if (!/^-?\d{1,20}$/.test(digits)) throw new SpanUnreadable('it has an intValue that is not an integer')
  const number = Number(digits)
  // Normalizes minus zero and leading zeros.
  return Number.isSafeInteger(number) ? number + 0 : rawNumber(BigInt(digits).toString())
}

function doubleOf(value: unknown): unknown {
  if (isRawNumber(value)) return value
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  const isNumber = typeof number === 'number' && (!Number.isNaN(number) || value === 'NaN')
  if (!isNumber) throw new SpanUnreadable('it has a doubleValue that is not a number')
  return doubleValue(number)
}

/**
 * The groups by resource of an export in OTLP's JSON encoding.
 *
 * @throws DomainError InvalidRequest if the text is no OTLP export, RequestTooLarge if it is
 *   nested too deeply
 */
export function exportedGroups(bytes: Uint8Array, member: string, signal: string): readonly unknown[] {
  const body = parse(new TextDecoder().decode(bytes))
  const groups = isJsonObject(body) ? (body[member] ?? (Object.keys(body).length === 0 ? [] : undefined)) : undefined
  if (Array.isArray(groups)) return groups
  throw new DomainError(
    'InvalidRequest',
    `Cannot read the body: it is not an export of ${signal} with an array "${member}"`,
  )
}

function parse(text: string): unknown {
  try {
    return parseJsonExactly(text, telemetryLimits.otlpJsonDepthMax)
  } catch (cause) {
    if (cause instanceof DomainError) throw cause
    throw new DomainError('InvalidRequest', 'Cannot read the body: it is not JSON', { cause })
  }
}

/** @throws SpanUnreadable */
export const resourceAndScope = (
  group: Readonly<Record<string, unknown>>,
  ofScope: Readonly<Record<string, unknown>>,
): { readonly resource: SpanResource; readonly scope: SpanScope } => ({
  resource: { ...resourceOf(new JsonMembers(group['resource'] ?? {}, 'resource')), schemaUrl: schemaOf(group) },
  scope: { ...scopeOf(ofScope['scope'] ?? {}), schemaUrl: schemaOf(ofScope) },
})

/** A wrong one is not worth rejecting anything. */
function schemaOf({ schemaUrl }: Readonly<Record<string, unknown>>): string {
  return typeof schemaUrl === 'string' ? schemaUrl : ''
}

/**
 * Parts shared by resources, scopes, spans, events, links and log records.
 *
 * @throws SpanUnreadable
 */
export const resourceOf = (members: JsonMembers): Omit<SpanResource, 'schemaUrl'> => ({
  attributes: attributesOf(members),
  droppedAttributes: members.count('droppedAttributesCount'),
})

function scopeOf(value: unknown): Omit<SpanScope, 'schemaUrl'> {
  const members = new JsonMembers(value, 'scope')
  return { name: members.text('name'), version: members.text('version'), ...resourceOf(members) }
}

const attributesOf = (members: JsonMembers): AttributeEntries => jsonAttributeEntries(members.list('attributes'))
