import { isJsonObject, isRawNumber } from '../../lib/json-value.ts'
import { formatTime, parseTime } from '../../lib/time.ts'

type Members = Readonly<Record<string, unknown>>

/** The members of an object; none of anything else. */
export const membersOf = (value: unknown): Members => (isJsonObject(value) ? value : {})

export const objectsIn = (value: unknown): Members[] => (Array.isArray(value) ? value.filter(isJsonObject) : [])

/** A text that is not empty. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

export function numberOf(value: unknown): number | undefined {
  const number = isRawNumber(value) ? Number(value.rawJSON) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** Microseconds since 1970 of a time with its offset, as Inspect writes it. */
export const microsOf = (value: unknown): number | undefined =>
  typeof value === 'string' ? (parseTime(value) ?? undefined) : undefined

export const isoOf = (micros: number): string => formatTime(Math.round(micros))

/** Without members that have no value. */
export const stated = (members: Members): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => !isEmpty(value)))

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (isJsonObject(value) && Object.keys(value).length === 0)
