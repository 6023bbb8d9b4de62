import { isJsonObject, isRawNumber } from '../../../lib/json-value.ts'
import { type NanoTime, SpanUnreadable } from './span.ts'

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
