import { isJsonObject, isRawNumber } from '../lib/json-value.ts'
import type { OtlpJson } from './record.ts'

/**
 * Nested attributes under the dotted names that instrumentations use: `{"llm":{"model":"a"}}` as
 * `llm.model`, and objects in lists as `llm.messages.0.role`.
 */
export function flattenAttributes(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const flat: Record<string, unknown> = {}
  const add = (name: string, value: unknown) => {
    if (isJsonObject(value)) {
      for (const [key, member] of Object.entries(value)) add(name === '' ? key : `${name}.${key}`, member)
    } else if (Array.isArray(value) && value.some(isJsonObject)) {
      for (const [index, element] of value.entries()) add(`${name}.${index}`, element)
    } else if (value !== null && value !== undefined) flat[name] = value
  }
  add('', members)
  return flat
}

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
