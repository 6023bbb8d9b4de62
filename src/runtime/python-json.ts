import { isRawNumber } from '../lib/json-value.ts'

/**
 * Prints a value like Python's `json.dumps` with `sort_keys=True`, on which digests are based:
 * separators `", "` and `": "`, members sorted by code point at every depth, everything outside
 * printable ASCII as `\uxxxx`, integers verbatim, other numbers as Python prints a double.
 */
export const pythonJson = (value: unknown): string => textOf(value, sortedMembers)

/** Prints objects that have no other members than these like `pythonJson`, but orders them once. */
export function pythonJsonOf(names: readonly string[]): (object: Readonly<Record<string, unknown>>) => string {
  const printed = pythonMembers(names)
  return (object) => {
    let text = ''
    for (const { name, before } of printed) {
      if (!Object.hasOwn(object, name)) continue
      text += `${text === '' ? '' : ', '}${before}${pythonJson(object[name])}`
    }
    return `{${text}}`
  }
}

/** Names in the order in which `pythonJson` prints members, and what it prints before values. */
export const pythonMembers = (names: readonly string[]): { readonly name: string; readonly before: string }[] =>
  sortedMembers(Object.fromEntries(names.map((name) => [name, null]))).map(([name]) => ({
    name,
    before: `${pythonText(name)}: `,
  }))

/** The same without sorting, the basis of older digests. */
export const pythonJsonInOrder = (value: unknown): string => textOf(value, Object.entries)

type Members = (object: object) => [string, unknown][]

function textOf(value: unknown, members: Members): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'string') return pythonText(value)
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'number') return pythonNumber(String(value), value)
  if (isRawNumber(value)) return pythonNumber(value.rawJSON, Number(value.rawJSON))
  if (Array.isArray(value)) return `[${value.map((item) => textOf(item, members)).join(', ')}]`
  const present = members(value).filter(([, member]) => member !== undefined)
  return `{${present.map(([key, member]) => `${pythonText(key)}: ${textOf(member, members)}`).join(', ')}}`
}

function sortedMembers(object: object): [string, unknown][] {
  const members = Object.entries(object)
  if (members.length < 2) return members
  return members.sort(members.some(([key]) => surrogate.test(key)) ? byCodePoints : byCodeUnits)
}

const surrogate = /[\ud800-\udfff]/

const byCodeUnits = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1)

/**
 * JavaScript compares UTF-16 units, which sorts characters above the BMP before some of those in
 * it.
 */
function byCodePoints([a]: [string, unknown], [b]: [string, unknown]): number {
  const length = Math.min(a.length, b.length)
  let at = 0
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at++
  if (at === length) return a.length - b.length
  const difference = (place: number) => (a.codePointAt(place) ?? 0) - (b.codePointAt(place) ?? 0)
  // The differing units may be low surrogates of characters with the same high surrogate.
  return (at > 0 && difference(at - 1)) || difference(at)
}

// JSON.stringify escapes control characters, quotes and backslashes like Python.
const pythonText = (text: string): string => asciiJson(JSON.stringify(text))

/** JSON text with everything outside printable ASCII as `\uxxxx`. */
export const asciiJson = (json: string): string =>
  json.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/**
 * Python reads a number without fraction and exponent as an integer, any other as a double.
 *
 * @param source the number as JSON text
 */
export function pythonNumber(source: string, value: number): string {
  if (!/^-?\d+$/.test(source)) return pythonFloat(value)
  return source === '-0' ? '0' : source
}

/**
 * Formats a double like Python's `repr`: the shortest digits that round-trip, with an exponent from
 * 1e16 upwards and below 1e-4.
 */
export function pythonFloat(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity'
  if (Object.is(value, -0)) return '-0.0'
  const [mantissa = '', exponentText] = value.toExponential().split('e')
  const exponent = Number(exponentText)
  const sign = value < 0 ? '-' : ''
  const digits = mantissa.replace(/[-.]/g, '')
  if (exponent < -4 || exponent >= 16) {
    return `${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0')
  return `${sign}${whole}.${digits.slice(exponent + 1) || '0'}`
}
