import { codecs } from '../conformance/support/otlp.ts'
import type { Random } from '../golden/random.ts'

const attributes = [
  { key: 'model', value: { stringValue: 'm' } },
  { key: 'session.id', value: { stringValue: 's' } },
  { key: 'api_key', value: { stringValue: 'sk-1' } },
]
const nanos = '1767225600123456789'
const point = { startTimeUnixNano: '1767225500123456789', timeUnixNano: nanos, attributes }

const metrics: readonly unknown[] = [
  {
    name: 'gauge',
    gauge: {
      dataPoints: [
        { ...point, asDouble: 1.5 },
        { ...point, asInt: '-3' },
      ],
    },
  },
  {
    name: 'sum',
    unit: 'USD',
    sum: {
      aggregationTemporality: 2,
      isMonotonic: true,
      dataPoints: [{ ...point, asDouble: 0.5, exemplars: [{ timeUnixNano: nanos, asDouble: 1, traceId: 'ab' }] }],
    },
  },
  {
    name: 'histogram',
    histogram: {
      aggregationTemporality: 'AGGREGATION_TEMPORALITY_DELTA',
      dataPoints: [{ ...point, count: '3', sum: 6, explicitBounds: [1, 2], bucketCounts: ['1', '1', '1'] }],
    },
  },
  {
    name: 'exponential',
    exponentialHistogram: {
      aggregationTemporality: 1,
      dataPoints: [{ ...point, count: 4, scale: 2, zeroCount: 1, positive: { offset: -1, bucketCounts: ['1', '2'] } }],
    },
  },
  {
    name: 'summary',
    summary: { dataPoints: [{ ...point, count: 2, sum: 3, quantileValues: [{ quantile: 0.5, value: 1 }] }] },
  },
]

/** A complete export with a few metrics of every kind, in OTLP's JSON encoding. */
export const someMetrics = (random: Random): Record<string, unknown> => ({
  resourceMetrics: [
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: 'agent' } }] },
      scopeMetrics: [
        {
          scope: { name: 'a-library', version: '1' },
          metrics: Array.from({ length: 1 + random.below(3) }, () => random.pick(metrics)),
        },
      ],
    },
  ],
})

/**
 * Such metrics as a protobuf export.
 *
 * @param change applied to the bytes of each metric
 */
export function someMetricsProtobuf(
  random: Random,
  change: (bytes: Uint8Array) => Uint8Array = (bytes) => bytes,
): Uint8Array<ArrayBuffer> {
  const [group] = someMetrics(random)['resourceMetrics'] as [
    { resource: unknown; scopeMetrics: { metrics: unknown[] }[] },
  ]
  const [{ metrics: chosen }] = group.scopeMetrics as [{ metrics: unknown[] }]
  return codecs['MetricsRequest']!.encode({
    resourceMetrics: [
      {
        resource: codecs['Resource']!.encode(group.resource).finish(),
        scopeMetrics: [{ metrics: chosen.map((metric) => change(codecs['Metric']!.encode(binary(metric)).finish())) }],
      },
    ],
  }).finish()
}

/** Numbers of enumerations, ids as bytes, and packed lists of numbers as bytes. */
function binary(value: unknown, key = ''): unknown {
  if (key === 'explicitBounds') return new Uint8Array(Float64Array.from(value as number[]).buffer)
  if (key === 'bucketCounts') return new Uint8Array(BigUint64Array.from((value as string[]).map(BigInt)).buffer)
  if (key === 'positive') return { offset: -1, bucketCounts: new Uint8Array([1, 2]) }
  if (key === 'aggregationTemporality') return 2
  if (key === 'traceId') return Uint8Array.fromHex(value as string)
  if (Array.isArray(value)) return value.map((item) => binary(item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, binary(member, name)]))
}
