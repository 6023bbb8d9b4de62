import { telemetryLimits } from '../../../lib/limits/telemetry.ts'
import type { Long } from './messages.ts'
import { SpanUnreadable } from './span.ts'

/** Neither JSON nor columns of numbers hold NaN and infinities; they become null. */
export const finite = (value: number | null | undefined): number | null =>
  value !== null && value !== undefined && Number.isFinite(value) ? value : null

/** A signed 64-bit integer. Beyond 2^53 it is the nearest double, as the stored value is. */
export const signedOf = ({ low, high }: Long): number => high * 2 ** 32 + (low >>> 0)

/** @throws SpanUnreadable for a count that a double cannot express */
export const countOf = ({ low, high }: Long): number => checkCount((high >>> 0) * 2 ** 32 + (low >>> 0))

/** @throws SpanUnreadable */
export function checkCount(count: number): number {
  if (Number.isSafeInteger(count) && count >= 0) return count
  throw new SpanUnreadable('it has a count that is negative, too large or not an integer')
}

/** @throws SpanUnreadable for more buckets or quantiles than allowed */
export function checkLength(length: number): void {
  if (length > telemetryLimits.metricBucketsMax) throw new SpanUnreadable('it has too many buckets')
}
