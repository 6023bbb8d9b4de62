import { isJsonObject, isRawNumber } from '../lib/json-value.ts'
import type { OtlpJson } from './record.ts'

/** A JSON value as an attribute value of OTLP's JSON encoding; null has none. */
export function otlpValue(value: unknown): OtlpJson {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'bigint') return { intValue: value.toString() }
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
  if (isRawNumber(value)) {
    return /^-?\d+$/.test(value.rawJSON) ? { intValue: value.rawJSON } : { doubleValue: Number(value.rawJSON) }
  }
  if (Array.isArray(value)) return { arrayValue: { values: value.map(otlpValue) } }
  return isJsonObject(value) ? { kvlistValue: { values: otlpAttributes(value) } } : {}
}

/** The members of an object as attributes. */
export const otlpAttributes = (members: Readonly<Record<string, unknown>>): OtlpJson[] =>
  Object.entries(members).map(([key, value]) => ({ key, value: otlpValue(value) }))

/** Unix microseconds as the nanoseconds of OTLP's JSON encoding. */
export const otlpNanos = (micros: number): string => `${Math.round(micros)}000`
