import { isoText } from '../../../lib/iso-text.ts'
import { isRawNumber } from '../../../lib/json-value.ts'
import { parseTime } from '../../../lib/time.ts'
import type { NanoTime, Span } from '../../wire/otlp/span.ts'
import { SpanUnreadable } from '../../wire/otlp/span.ts'
import type { SpanValues } from './span-values.ts'

/**
 * Start and end of a span in unix seconds with microsecond precision; the end is undefined while it
 * is running. A span without a start starts at its end.
 *
 * @throws SpanUnreadable if it has neither
 */
export function spanTimes(span: Span, values: SpanValues): { startedAt: number; endedAt: number | undefined } {
  const { call } = values.tables
  const endedAt = givenTime(values.first(call.get('ended_at'))) ?? seconds(span.end)
  const startedAt = givenTime(values.first(call.get('started_at'))) ?? seconds(span.start) ?? endedAt
  if (startedAt === undefined) throw new SpanUnreadable('missing start time')
  return { startedAt, endedAt }
}

const seconds = (time: NanoTime | null): number | undefined => (time === null ? undefined : time.micros / 1e6)

/** A time in an attribute: ISO 8601, integer nanoseconds, or fractional seconds. */
function givenTime(value: unknown): number | undefined {
  // Integer nanoseconds exceed the precision of a number.
  const given = isRawNumber(value) ? value.rawJSON : value
  if (typeof given !== 'string' && typeof given !== 'number') return undefined
  const text = String(given).trim()
  const time = /^\d{15,20}$/.test(text) ? Number(text.slice(0, -3)) / 1e6 : Number(text)
  const micros = parseTime(Number.isFinite(time) && text !== '' ? time : text)
  return micros === undefined ? undefined : micros / 1e6
}

/** ISO 8601 in UTC with nanoseconds. */
export const nanoTimeText = ({ micros, nanos }: NanoTime): string => isoText(micros, nanos)
