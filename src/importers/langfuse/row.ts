import { isJsonObject, isRawNumber } from '../../lib/json-value.ts'

/** A record of Langfuse under the names of its API. */
export type Row = Readonly<Record<string, unknown>>

/** Exports in columns use snake case, the API camel case. */
export function normalRow(row: Record<string, unknown>): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [camel(name), value === '' ? null : value]))
}

const camel = (name: string): string => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** A value that an export may contain as JSON text. */
export function jsonOf(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{"]/.test(value)) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

/** The members of an object, or of its JSON text. */
export function membersOf(value: unknown): Record<string, unknown> {
  const parsed = jsonOf(value)
  return isJsonObject(parsed) ? parsed : {}
}

/** A number, or a text of one. */
export function numberOf(value: unknown): number | undefined {
  const number =
    typeof value === 'string' || isRawNumber(value) ? Number(isRawNumber(value) ? value.rawJSON : value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}
