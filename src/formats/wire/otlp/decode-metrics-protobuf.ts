import { DomainError } from '../../../lib/errors.ts'
import { telemetryLimits } from '../../../lib/limits/telemetry.ts'
import { present } from '../../../lib/present.ts'
import {
  type ExemplarMessage,
  type ExponentialCountsMessage,
  type ExponentialHistogramPointMessage,
  type HistogramPointMessage,
  type MetricMessage,
  messages,
  type NumberMessage,
  type NumberPointMessage,
  type PointMessage,
  type SummaryPointMessage,
} from './messages.ts'
import {
  checkCount,
  checkLength,
  countOf,
  finite,
  type Metric,
  type MetricExemplar,
  type MetricGroup,
  type MetricPoint,
  signedOf,
  temporalities,
} from './metric.ts'
import {
  attributeEntries,
  BoundedReader,
  boundedReader,
  decodeGroup,
  hexOf,
  readable,
  timeOf,
} from './protobuf-parts.ts'
import { SpanUnreadable, unreadableGroup } from './span.ts'

/**
 * Decodes the groups of an ExportMetricsServiceRequest in protobuf. Only the frame is decoded at
 * once; metrics are decoded lazily, one by one.
 *
 * @throws DomainError InvalidRequest if the bytes are no OTLP export
 */
export function decodeMetricsProtobuf(bytes: Uint8Array): MetricGroup[] {
  try {
    const { resourceMetrics } = messages.MetricsRequest.decode(
      new BoundedReader(bytes, telemetryLimits.otlpFrameFieldsMax),
    )
    return resourceMetrics.flatMap((ofResource) =>
      decodeGroup(ofResource, ofResource.scopeMetrics).map(({ group, of: { metrics } }): MetricGroup => {
        if (group instanceof SpanUnreadable) {
          const { resource, scope, items } = unreadableGroup(group, metrics.length)
          return { resource, scope, metrics: items }
        }
        return { ...group, metrics: metrics.map((metric) => () => decodeMetric(metric)) }
      }),
    )
  } catch (cause) {
    throw new DomainError('InvalidRequest', 'Cannot read the body: it is not an export of metrics in protobuf', {
      cause,
    })
  }
}

const decodeMetric = (bytes: Uint8Array): Metric =>
  readable(() => metricOf(messages.Metric.decode(boundedReader(bytes))), 'it is damaged')

function metricOf(message: MetricMessage): Metric {
  const { name, description, unit } = message
  const named = { name, description, unit, isMonotonic: null, temporality: null }
  switch (message.data) {
    case 'gauge':
      return { ...named, kind: 'gauge', points: present(message.gauge, 'The gauge').dataPoints.map(numberPoint) }
    case 'sum': {
      const { dataPoints, aggregationTemporality, isMonotonic } = present(message.sum, 'The sum')
      const temporality = temporalities[aggregationTemporality] ?? null
      return { ...named, kind: 'sum', temporality, isMonotonic, points: dataPoints.map(numberPoint) }
    }
    case 'histogram': {
      const { dataPoints, aggregationTemporality } = present(message.histogram, 'The histogram')
      const temporality = temporalities[aggregationTemporality] ?? null
      return { ...named, kind: 'histogram', temporality, points: dataPoints.map(histogramPoint) }
    }
    case 'exponentialHistogram': {
      const { dataPoints, aggregationTemporality } = present(message.exponentialHistogram, 'The histogram')
      const temporality = temporalities[aggregationTemporality] ?? null
      return { ...named, kind: 'exponential_histogram', temporality, points: dataPoints.map(exponentialPoint) }
    }
    case 'summary':
      return { ...named, kind: 'summary', points: present(message.summary, 'The summary').dataPoints.map(summaryPoint) }
    default:
      throw new SpanUnreadable('it has no data of a known kind')
  }
}

const pointOf = ({ attributes, startTimeUnixNano, timeUnixNano, flags }: PointMessage): MetricPoint => ({
  attributes: attributeEntries(attributes),
  start: timeOf(startTimeUnixNano),
  time: timeOf(timeUnixNano),
  value: null,
  count: null,
  sum: null,
  min: null,
  max: null,
  distribution: null,
  exemplars: [],
  flags,
})

const numberPoint = (message: NumberPointMessage): MetricPoint => ({
  ...pointOf(message),
  value: numberOf(message),
  exemplars: message.exemplars.map(exemplarOf),
})

function numberOf({ value, asDouble, asInt }: NumberMessage): number | null {
  if (value === undefined) return null
  return value === 'asInt' ? signedOf(present(asInt, 'The integer')) : finite(asDouble)
}

const histogramPoint = (message: HistogramPointMessage): MetricPoint => ({
  ...pointOf(message),
  ...totalsOf(message),
  distribution: { bounds: doubles(message.explicitBounds), counts: fixedCounts(message.bucketCounts) },
})

const exponentialPoint = (message: ExponentialHistogramPointMessage): MetricPoint => ({
  ...pointOf(message),
  ...totalsOf(message),
  distribution: {
    scale: message.scale,
    zero_count: countOf(message.zeroCount),
    zero_threshold: finite(message.zeroThreshold) ?? 0,
    positive: signedBuckets(message.positive),
    negative: signedBuckets(message.negative),
  },
})

const totalsOf = (message: HistogramPointMessage | ExponentialHistogramPointMessage) => ({
  count: countOf(message.count),
  sum: finite(message.sum),
  min: finite(message.min),
  max: finite(message.max),
  exemplars: message.exemplars.map(exemplarOf),
})

const summaryPoint = (message: SummaryPointMessage): MetricPoint => {
  checkLength(message.quantileValues.length)
  return {
    ...pointOf(message),
    count: countOf(message.count),
    sum: finite(message.sum),
    distribution: {
      quantiles: message.quantileValues.map(({ quantile, value }) => ({
        quantile: finite(quantile),
        value: finite(value),
      })),
    },
  }
}

const exemplarOf = (message: ExemplarMessage): MetricExemplar => ({
  time: timeOf(message.timeUnixNano),
  value: numberOf(message),
  traceId: hexOf(message.traceId),
  spanId: hexOf(message.spanId),
  attributes: attributeEntries(message.filteredAttributes),
})

/** A packed list of doubles. */
function doubles(bytes: Uint8Array): number[] {
  const view = eightByteView(bytes)
  return Array.from({ length: view.byteLength / 8 }, (_, index) => view.getFloat64(index * 8, true))
}

/** A packed list of fixed64. */
function fixedCounts(bytes: Uint8Array): number[] {
  const view = eightByteView(bytes)
  return Array.from({ length: view.byteLength / 8 }, (_, index) =>
    checkCount(view.getUint32(index * 8 + 4, true) * 2 ** 32 + view.getUint32(index * 8, true)),
  )
}

function eightByteView(bytes: Uint8Array): DataView {
  if (bytes.byteLength % 8 !== 0) throw new SpanUnreadable('it is damaged')
  checkLength(bytes.byteLength / 8)
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function signedBuckets(message: ExponentialCountsMessage | null): { offset: number; counts: number[] } {
  const counts: number[] = []
  const reader = new BoundedReader(message?.bucketCounts ?? new Uint8Array(), telemetryLimits.spanFieldsMax)
  while (reader.pos < reader.len) {
    checkLength(counts.length + 1)
    counts.push(countOf(reader.uint64()))
  }
  return { offset: message?.offset ?? 0, counts }
}
