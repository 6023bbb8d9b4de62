import type { Gauge, Registry } from 'prom-client'
import { latencyBounds, type RequestMetrics } from './request-metrics.ts'

type Labels = 'operation' | 'le'

/**
 * Adds our own latency counts to a registry. The library's histogram only takes single
 * observations, so this is another metric type that prints itself as a histogram.
 */
export function addLatencies(
  library: { readonly Gauge: typeof Gauge },
  statistics: RequestMetrics,
  registry: Registry,
): void {
  const name = 'tracelake_request_duration_seconds'
  class Latencies extends library.Gauge<Labels> {
    override async get() {
      const shape = await super.get()
      // The library's types declare a number; at runtime it is this string.
      return { ...shape, type: 'histogram' as unknown as typeof shape.type, values: valuesOf(name, statistics) }
    }
  }
  const help = 'Time to the start of the response'
  new Latencies({ name, help, labelNames: ['operation', 'le'], registers: [registry] })
}

function valuesOf(name: string, { byOperation }: RequestMetrics) {
  return [...byOperation].flatMap(([operation, { statuses, buckets, seconds }]) => {
    if (statuses.size === 0) return []
    let count = 0
    const cumulative = [...buckets].map((bucket, index) => {
      count += bucket
      return { metricName: `${name}_bucket`, labels: { operation, le: latencyBounds[index] ?? '+Inf' }, value: count }
    })
    return [
      ...cumulative,
      { metricName: `${name}_sum`, labels: { operation }, value: seconds },
      { metricName: `${name}_count`, labels: { operation }, value: count },
    ]
  })
}
