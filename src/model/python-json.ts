import { isRawNumber } from './json-value.ts'

/**
 * The text that Python's `json.dumps` gives a value by default, which decides digests: `", "` and `": "` between parts, members in their
 * order, everything outside printable ASCII as `\uxxxx`, integers of any size to the letter, other numbers as Python prints a double.
 */
export function pythonJson(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'string') return pythonText(value)
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'number') return pythonNumber(String(value), value)
  if (isRawNumber(value)) return pythonNumber(value.rawJSON, Number(value.rawJSON))
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(', ')}]`
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{${members.map(([key, member]) => `${pythonText(key)}: ${pythonJson(member)}`).join(', ')}}`
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
