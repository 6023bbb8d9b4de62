import type { AttributeEntries, NanoTime, SpanResource, SpanScope } from './span.ts'

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
