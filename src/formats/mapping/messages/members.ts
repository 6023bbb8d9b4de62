import { isJsonObject, isRawNumber } from '../../../lib/json-value.ts'

/** An object of a payload, of unknown form. */
export type Members = Readonly<Record<string, unknown>>

/** The first of the members that is a text; empty texts count. */
export function firstText(object: Members, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = own(object, name)
    if (typeof value === 'string') return value
  }
  return undefined
}

/** The first of the members that is there and not null. */
export function firstValue(object: Members, ...names: readonly string[]): unknown {
  for (const name of names) {
    const value = own(object, name)
    if (value !== undefined && value !== null) return value
  }
  return undefined
}

/** A member that is an object. */
export function objectIn(object: Members, name: string): Members | undefined {
  const value = own(object, name)
  return isJsonObject(value) ? value : undefined
}

/** A member that is a list. */
export function listIn(object: Members, name: string): readonly unknown[] | undefined {
  const value = own(object, name)
  return Array.isArray(value) ? value : undefined
}

/** A text as it is; anything else as JSON text, with the numbers as sent. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (isRawNumber(value)) return value.rawJSON
  return value === undefined ? '' : JSON.stringify(value)
}

/** JSON text of a value that may be JSON text already, as arguments of tools often are. */
export const jsonTextOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '{}' : JSON.stringify(value)

const own = (object: Members, name: string): unknown => (Object.hasOwn(object, name) ? object[name] : undefined)
