import { isJsonObject, isRawNumber } from '../../../lib/json-value.ts'
import { exportedGroups, JsonMembers, jsonAttributeEntries, resourceAndScope } from './json-members.ts'
import {
  checkCount,
  checkLength,
  finite,
  type Metric,
  type MetricExemplar,
  type MetricGroup,
  type MetricPoint,
  type Temporality,
  temporalities,
} from './metric.ts'
import { SpanUnreadable, unreadableGroup } from './span.ts'

/**
 * Decodes the groups of an ExportMetricsServiceRequest in OTLP's JSON encoding. Metrics are decoded
 * lazily, one by one.
 *
 * @throws DomainError InvalidRequest if the text is no OTLP export, RequestTooLarge if it is
 *   nested too deeply
 */
export function decodeMetricsJson(bytes: Uint8Array): MetricGroup[] {
  return exportedGroups(bytes, 'resourceMetrics', 'metrics').flatMap((group: unknown) => {
    const scopes: unknown = isJsonObject(group) ? (group['scopeMetrics'] ?? []) : undefined
    if (!isJsonObject(group) || !Array.isArray(scopes))
      return [rejected(new SpanUnreadable('its resourceMetrics are malformed'), 1)]
    return scopes.map((scope: unknown) => metricGroup(group, scope))
  })
}

function rejected(reason: SpanUnreadable, count: number): MetricGroup {
  const { resource, scope, items } = unreadableGroup(reason, count)
  return { resource, scope, metrics: items }
}

function metricGroup(group: Record<string, unknown>, scopeMetrics: unknown): MetricGroup {
  const metrics: unknown = isJsonObject(scopeMetrics) ? (scopeMetrics['metrics'] ?? []) : undefined
  if (!isJsonObject(scopeMetrics) || !Array.isArray(metrics))
    return rejected(new SpanUnreadable('its scopeMetrics are malformed'), 1)
  try {
    return {
      ...resourceAndScope(group, scopeMetrics),
      metrics: metrics.map((metric: unknown) => () => decodeMetric(metric)),
    }
  } catch (cause) {
    if (cause instanceof SpanUnreadable) return rejected(cause, metrics.length)
    throw cause
  }
}

const temporalityNames = ['UNSPECIFIED', 'DELTA', 'CUMULATIVE'].map((name) => `AGGREGATION_TEMPORALITY_${name}`)

const kinds = [
  ['gauge', 'gauge', numberPoint],
  ['sum', 'sum', numberPoint],
  ['histogram', 'histogram', histogramPoint],
  ['exponentialHistogram', 'exponential_histogram', exponentialPoint],
  ['summary', 'summary', summaryPoint],
] as const

function decodeMetric(value: unknown): Metric {
  const metric = new JsonMembers(value, 'metric')
  const kind = kinds.find(([member]) => metric.has(member))
  if (kind === undefined) throw new SpanUnreadable('it has no data of a known kind')
  const [member, name, decodePoint] = kind
  const data = new JsonMembers(metric.get(member), member)
  return {
    name: metric.text('name'),
    description: metric.text('description'),
    unit: metric.text('unit'),
    kind: name,
    temporality: temporalityOf(data),
    isMonotonic: name === 'sum' ? data.get('isMonotonic') === true : null,
    points: data.list('dataPoints').map((point) => decodePoint(new JsonMembers(point, 'data point'))),
  }
}

const temporalityOf = (data: JsonMembers): Temporality | null =>
  temporalities[data.enumerated('aggregationTemporality', temporalityNames)] ?? null

const pointOf = (point: JsonMembers): MetricPoint => ({
  attributes: jsonAttributeEntries(point.list('attributes')),
  start: point.time('startTimeUnixNano'),
  time: point.time('timeUnixNano'),
  value: null,
  count: null,
  sum: null,
  min: null,
  max: null,
  distribution: null,
  exemplars: point.list('exemplars').map((exemplar) => exemplarOf(new JsonMembers(exemplar, 'exemplar'))),
  flags: point.count('flags'),
})

function numberPoint(point: JsonMembers): MetricPoint {
  return { ...pointOf(point), value: measuredValue(point) }
}

function histogramPoint(point: JsonMembers): MetricPoint {
  return {
    ...pointOf(point),
    ...totalsOf(point),
    distribution: {
      bounds: bounded(point.list('explicitBounds')).map((bound) => numberOf(bound) ?? 0),
      counts: countsOf(point, 'bucketCounts'),
    },
  }
}

function exponentialPoint(point: JsonMembers): MetricPoint {
  return {
    ...pointOf(point),
    ...totalsOf(point),
    distribution: {
      scale: numberOf(point.get('scale')) ?? 0,
      zero_count: checkCount(numberOf(point.get('zeroCount')) ?? 0),
      zero_threshold: numberOf(point.get('zeroThreshold')) ?? 0,
      positive: signedBuckets(point.get('positive')),
      negative: signedBuckets(point.get('negative')),
    },
  }
}

function summaryPoint(point: JsonMembers): MetricPoint {
  return {
    ...pointOf(point),
    count: checkCount(numberOf(point.get('count')) ?? 0),
    sum: numberOf(point.get('sum')),
    distribution: {
      quantiles: bounded(point.list('quantileValues')).map((item) => {
        const members = new JsonMembers(item, 'quantile')
        return { quantile: numberOf(members.get('quantile')) ?? 0, value: numberOf(members.get('value')) ?? 0 }
      }),
    },
  }
}

const totalsOf = (point: JsonMembers) => ({
  count: checkCount(numberOf(point.get('count')) ?? 0),
  sum: numberOf(point.get('sum')),
  min: numberOf(point.get('min')),
  max: numberOf(point.get('max')),
})

function signedBuckets(value: unknown): { offset: number; counts: number[] } {
  const buckets = new JsonMembers(value ?? {}, 'buckets')
  return { offset: numberOf(buckets.get('offset')) ?? 0, counts: countsOf(buckets, 'bucketCounts') }
}

const exemplarOf = (exemplar: JsonMembers): MetricExemplar => ({
  time: exemplar.time('timeUnixNano'),
  value: measuredValue(exemplar),
  traceId: exemplar.id('traceId'),
  spanId: exemplar.id('spanId'),
  attributes: jsonAttributeEntries(exemplar.list('filteredAttributes')),
})

const measuredValue = (members: JsonMembers): number | null =>
  numberOf(members.has('asInt') ? members.get('asInt') : members.get('asDouble'))

/** 64-bit integers are text, and so are the doubles that JSON cannot express. */
function numberOf(value: unknown): number | null {
  if (value === undefined) return null
  const text = isRawNumber(value) ? value.rawJSON : value
  const number = typeof text === 'string' && text.trim() !== '' ? Number(text) : text
  if (typeof number !== 'number' || (Number.isNaN(number) && text !== 'NaN')) {
    throw new SpanUnreadable('it has a value that is not a number')
  }
  return finite(number)
}

const countsOf = (members: JsonMembers, name: string): number[] =>
  bounded(members.list(name)).map((count) => checkCount(numberOf(count) ?? Number.NaN))

function bounded<T>(list: readonly T[]): readonly T[] {
  checkLength(list.length)
  return list
}
