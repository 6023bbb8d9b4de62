import { contentTypes, pairsOf } from './otlp.ts'
import type { Project } from './project.ts'

type Json = Record<string, unknown>

/** What a test specifies of a data point. Times are seconds after 2026-01-01T00:00:00Z. */
export interface PointDraft extends Json {
  readonly at: number
  readonly since?: number
  readonly attributes?: Readonly<Record<string, unknown>>
}

const startSeconds = Date.UTC(2026, 0, 1) / 1000
const nanos = (seconds: number) => `${startSeconds + seconds}000000000`
export const timeOf = (seconds: number) => new Date((startSeconds + seconds) * 1000).toISOString()

const pointOf = ({ at, since, attributes = {}, ...rest }: PointDraft): Json => ({
  timeUnixNano: nanos(at),
  ...(since !== undefined && { startTimeUnixNano: nanos(since) }),
  attributes: pairsOf(attributes),
  ...rest,
})

const delta = 1
export const cumulative = 2

export const sumOf = (name: string, points: readonly PointDraft[], data: Json = {}): Json => ({
  name,
  unit: 'USD',
  sum: { aggregationTemporality: delta, isMonotonic: true, dataPoints: points.map(pointOf), ...data },
})
export const gaugeOf = (name: string, points: readonly PointDraft[]): Json => ({
  name,
  gauge: { dataPoints: points.map(pointOf) },
})
export const histogramOf = (name: string, points: readonly PointDraft[], data: Json = {}): Json => ({
  name,
  unit: 'ms',
  histogram: { aggregationTemporality: delta, dataPoints: points.map(pointOf), ...data },
})
export const metricOf = (name: string, kind: string, points: readonly PointDraft[], data: Json = {}): Json => ({
  name,
  [kind]: { dataPoints: points.map(pointOf), ...data },
})

export const metricsExport = (metrics: readonly unknown[], resource: Readonly<Record<string, unknown>> = {}): Json => ({
  resourceMetrics: [
    {
      resource: { attributes: pairsOf({ 'service.name': 'agent', ...resource }) },
      scopeMetrics: [{ scope: { name: 'a-library', version: '1.2.3' }, metrics }],
    },
  ],
})

/** Sends metrics in JSON. */
export const sendMetrics = (project: Project, metrics: readonly unknown[], resource = {}) =>
  project.client.postRaw('/v1/metrics', JSON.stringify(metricsExport(metrics, resource)), {
    headers: { 'content-type': contentTypes.json, project_id: project.id },
  })
