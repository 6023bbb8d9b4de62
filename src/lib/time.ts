import { FormatRegistry, Type } from '@sinclair/typebox'

let lastSecond = Number.NaN
let lastSecondText = ''

/** ISO 8601 in UTC with nanoseconds: microseconds since 1970, and `nanos` of the next one. */
export function isoText(micros: number, nanos = 0): string {
  const second = Math.floor(micros / 1_000_000)
  // Times that are written together fall into the same few seconds, and formatting dates is
  // expensive.
  if (second !== lastSecond) {
    lastSecondText = new Date(second * 1000).toISOString().slice(0, 19)
    lastSecond = second
  }
  return `${lastSecondText}.${String((micros - second * 1_000_000) * 1000 + nanos + 1_000_000_000).slice(1)}Z`
}

const day = /(\d{4})-(\d{2})-(\d{2})/
const timeOfDay = /[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?/
const zone = /([Zz])|([+-])(\d{2}):?(\d{2})?/
const isoTime = new RegExp(`^${day.source}(?:${timeOfDay.source})?\\s*(?:${zone.source})?$`)

/** From the year 0001 to the last millisecond of 9999, in microseconds. */
const microsMin = -62_135_596_800_000_000
const microsMax = 253_402_300_799_999_000

/**
 * The last time before another, in microseconds. After the year 2255 numbers are further apart than
 * a microsecond.
 */
export function justBefore(micros: number): number {
  let step = 1
  while (Number.isFinite(micros) && micros - step === micros) step *= 2
  return micros - step
}

/**
 * Parses an ISO 8601 text (UTC if it has no offset) or unix seconds to microseconds since 1970 UTC.
 * Digits beyond the microsecond are truncated.
 *
 * @returns undefined if the value is not a time
 */
export function parseTime(value: string | number): number | undefined {
  const micros = typeof value === 'number' ? Math.round(value * 1_000_000) : parseIso(value)
  if (micros === undefined || !(micros >= microsMin && micros <= microsMax)) return undefined
  return micros
}

function parseIso(text: string): number | undefined {
  return parseUtc(text) ?? parseAnyIso(text)
}

/**
 * Fast path for the form that clients nearly always send, `YYYY-MM-DDThh:mm:ss[.f…]Z`: a tenth of
 * the cost.
 */
function parseUtc(text: string): number | undefined {
  const end = text.length - 1
  const isShaped =
    end >= 19 &&
    end <= 29 &&
    end !== 20 &&
    text.charCodeAt(end) === 90 &&
    text.charCodeAt(4) === 45 &&
    text.charCodeAt(7) === 45 &&
    text.charCodeAt(10) === 84 &&
    text.charCodeAt(13) === 58 &&
    text.charCodeAt(16) === 58 &&
    (end === 19 || text.charCodeAt(19) === 46)
  if (!isShaped) return undefined
  const year = digits(text, 0, 4)
  const month = digits(text, 5, 7)
  const day = digits(text, 8, 10)
  const hour = digits(text, 11, 13)
  const minute = digits(text, 14, 16)
  const second = digits(text, 17, 19)
  const fractionEnd = Math.min(end, 26)
  const fraction = end === 19 ? 0 : digits(text, 20, fractionEnd) * 10 ** (26 - fractionEnd)
  // Days that exist in every month and times that exist in every day; the general parser handles
  // the rest. NaN fails every comparison.
  const isPlain =
    year >= 1000 && month >= 1 && month <= 12 && day >= 1 && day <= 28 && hour <= 23 && minute <= 59 && second <= 59
  if (!isPlain || !(fraction >= 0) || (end > 26 && Number.isNaN(digits(text, 26, end)))) return undefined
  return Date.UTC(year, month - 1, day, hour, minute, second) * 1000 + fraction
}

/** The number formed by the digits of `text` from `from` to `to`; NaN if one is not a digit. */
function digits(text: string, from: number, to: number): number {
  let value = 0
  for (let i = from; i < to; i++) {
    const digit = text.charCodeAt(i) - 48
    if (digit < 0 || digit > 9) return Number.NaN
    value = value * 10 + digit
  }
  return value
}

function parseAnyIso(text: string): number | undefined {
  const match = isoTime.exec(text)
  if (match === null) return undefined
  const [
    ,
    year,
    month,
    day,
    hour = '0',
    minute = '0',
    second = '0',
    fraction = '',
    ,
    sign,
    offsetHours = '0',
    offsetMinutes = '0',
  ] = match
  const numbers = [Number(year), Number(month), Number(day), Number(hour), Number(minute), Number(second)] as const
  // Not Date.UTC, which maps the year 1 to 1901.
  const date = new Date(0)
  date.setUTCFullYear(numbers[0], numbers[1] - 1, numbers[2])
  date.setUTCHours(numbers[3], numbers[4], numbers[5])
  const millis = date.getTime()
  const exists =
    date.getUTCMonth() === numbers[1] - 1 &&
    date.getUTCDate() === numbers[2] &&
    numbers[3] < 24 &&
    numbers[4] < 60 &&
    numbers[5] < 60
  if (!exists || Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return undefined
  const offsetMillis = (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60_000 * (sign === '-' ? -1 : 1)
  const micros = (millis - offsetMillis) * 1000 + Number(fraction.slice(0, 6).padEnd(6, '0'))
  // Clients send the last moment of 9999 for "never ends"; it would round up to the year 10000.
  return millis - offsetMillis <= microsMax / 1000 ? Math.min(micros, microsMax) : micros
}

/**
 * Formats microseconds since 1970 as the API does: UTC with `Z`, six fraction digits, or none if
 * they are zero.
 */
export function formatTime(micros: number): string {
  const millis = Math.floor(micros / 1000)
  const text = new Date(millis).toISOString()
  const fraction = micros - Math.floor(micros / 1_000_000) * 1_000_000
  return fraction === 0 ? `${text.slice(0, 19)}Z` : `${text.slice(0, 19)}.${String(fraction).padStart(6, '0')}Z`
}

/**
 * Orders times as the API formats them, the earlier first. As texts, whole seconds would come after
 * their fractions.
 */
export const compareTimes = (a: string, b: string): number => (parseTime(a) ?? 0) - (parseTime(b) ?? 0)

FormatRegistry.Set('date-time', (text) => parseTime(text) !== undefined)

/** A time in a request. */
export const Time = Type.Union(
  [Type.String({ format: 'date-time' }), Type.Number({ minimum: microsMin / 1e6, maximum: microsMax / 1e6 })],
  { description: 'ISO 8601 with any offset (UTC if omitted), or unix seconds' },
)

/** A time in a response. */
export const TimeText = Type.String({ format: 'date-time', description: 'ISO 8601, UTC' })
