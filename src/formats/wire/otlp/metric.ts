import { telemetryLimits } from '../../../lib/limits/telemetry.ts'
import type { Long } from './messages.ts'
import { type AttributeEntries, type NanoTime, type SpanResource, type SpanScope, SpanUnreadable } from './span.ts'

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

type MetricKind = 'gauge' | 'sum' | 'histogram' | 'exponential_histogram' | 'summary'

/** Whether a value covers the time since the previous point, or since the start of its series. */
export type Temporality = 'delta' | 'cumulative'

/** A measurement that led to a point, with the span during which it was made. */
export interface MetricExemplar {
  readonly time: NanoTime | null
  readonly value: number | null
  /** Lowercase hexadecimal; empty if there is none. */
  readonly traceId: string
  readonly spanId: string
  readonly attributes: AttributeEntries
}

/** Counts of the values between `bounds`; there is one count more than bounds. */
interface HistogramBuckets {
  readonly bounds: readonly number[]
  readonly counts: readonly number[]
}

/** Counts of the values by powers of 2^(2^-scale). */
interface ExponentialBuckets {
  readonly scale: number
  readonly zero_count: number
  readonly zero_threshold: number
  readonly positive: SignedBuckets
  readonly negative: SignedBuckets
}
interface SignedBuckets {
  readonly offset: number
  readonly counts: readonly number[]
}

interface SummaryQuantiles {
  readonly quantiles: readonly { readonly quantile: number | null; readonly value: number | null }[]
}

/** One data point. What does not apply to its kind, or was not sent, is null. */
export interface MetricPoint {
  readonly attributes: AttributeEntries
  readonly start: NanoTime | null
  readonly time: NanoTime | null
  readonly value: number | null
  readonly count: number | null
  readonly sum: number | null
  readonly min: number | null
  readonly max: number | null
  readonly distribution: HistogramBuckets | ExponentialBuckets | SummaryQuantiles | null
  readonly exemplars: readonly MetricExemplar[]
  readonly flags: number
}

/** A metric with the points of one export, independent of its encoding. */
export interface Metric {
  readonly name: string
  readonly description: string
  readonly unit: string
  readonly kind: MetricKind
  /** null for gauges and summaries, and if it was not sent. */
  readonly temporality: Temporality | null
  /** null for all kinds but sums. */
  readonly isMonotonic: boolean | null
  readonly points: readonly MetricPoint[]
}

/** The flag of a point that says that nothing was measured. */
export const noRecordedValue = 1

/** Numbers of AggregationTemporality in the protocol. */
export const temporalities: readonly (Temporality | null)[] = [null, 'delta', 'cumulative']

/** Metrics of one library in one resource. */
export interface MetricGroup {
  readonly resource: SpanResource
  readonly scope: SpanScope
  /**
   * Each function decodes one metric.
   * @throws SpanUnreadable
   */
  readonly metrics: readonly (() => Metric)[]
}
