import { isRawNumber } from './json-value.ts'

/**
 * The text that Python's `json.dumps` gives a value with `sort_keys=True`, which decides digests: `", "` and `": "` between parts, members
 * sorted by the code points of their names at every depth, everything outside printable ASCII as `\uxxxx`, integers of any size to the
 * letter, other numbers as Python prints a double.
 */
export const pythonJson = (value: unknown): string => textOf(value, sortedMembers)

/** The same text with members in their own order, which decided digests before keys were sorted. */
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

/** JavaScript compares UTF-16 units, where characters above the BMP come before some of those in it. */
function byCodePoints([a]: [string, unknown], [b]: [string, unknown]): number {
  const length = Math.min(a.length, b.length)
  let at = 0
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at++
  if (at === length) return a.length - b.length
  const difference = (place: number) => a.codePointAt(place)! - b.codePointAt(place)!
  // The units that differ may be second halves of characters that begin alike.
  return (at > 0 && difference(at - 1)) || difference(at)
}

// JSON.stringify escapes what is below the space, quotes and backslashes the same way as Python.
const pythonText = (text: string): string =>
  JSON.stringify(text).replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Python reads a number without fraction and exponent as an integer, and any other as a double. */
function pythonNumber(source: string, value: number): string {
  if (!/^-?\d+$/.test(source)) return pythonFloat(value)
  return source === '-0' ? '0' : source
}

/**
 * What Python's `repr` gives a double: the shortest digits that read back as the same, with an exponent from 1e16 upwards and below 1e-4.
 */
export function pythonFloat(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity'
  if (Object.is(value, -0)) return '-0.0'
  const [mantissa, exponentText] = value.toExponential().split('e') as [string, string]
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
