import { post } from '../api/client.ts'
import { bucketLength } from '../chart/bucket-length.ts'
import type { Span } from '../chart/span.ts'
import { condition } from '../filter/expression.ts'
import { type Query, toQuery } from '../filter/to-query.ts'
import { timeZone } from '../format/time.ts'

/** A row of `/calls/stats`. */
export interface StatsRow {
  readonly timestamp: string
  readonly model?: string
  readonly group?: string | null
  readonly is_other?: boolean
  readonly [statistic: string]: unknown
}

interface Stats {
  readonly granularity: number
  readonly usage_buckets: readonly StatsRow[]
  readonly call_buckets: readonly StatsRow[]
}

/** Which calls a dashboard is about. */
export interface DashboardScope {
  readonly projectId: string
  readonly span: Span
  /** Name of an op; undefined for all. */
  readonly op: string | undefined
}

const bucketsMax = 48
const dayMs = 86_400_000
const finestMs = 31 * dayMs
/** A hundred years: everything is one bucket. */
const oneBucket = 3_153_600_000
const opsMax = 40
const sparkBuckets = 48

const sums = (...metrics: readonly string[]) => metrics.map((metric) => ({ metric, aggregations: ['sum'] }))
/** Only ended calls have a latency, so its count gives the number of running calls. */
const latency = { metric: 'latency_ms', percentiles: [50, 95, 99], aggregations: ['count'] }
const usage = sums('input_tokens', 'output_tokens', 'cache_read_input_tokens', 'total_cost')

/**
 * Runs of the playground are no traffic. They count where somebody asks for their op. See
 * docs/decisions/257-runs-of-the-playground.md.
 */
const withoutPlayground: Query = {
  $expr: { $not: [{ $eq: [{ $getField: 'op_name' }, { $literal: 'playground.completion' }] }] },
}

function body({ projectId, span, op }: DashboardScope, rootsOnly: boolean, more: object) {
  const query = op === undefined ? withoutPlayground : toQuery(condition('op_name', '=', [op]))
  return {
    project_id: projectId,
    start: new Date(span.from).toISOString(),
    end: new Date(span.to).toISOString(),
    timezone: timeZone.peek(),
    ...(rootsOnly && op === undefined && { filter: { trace_roots_only: true } }),
    ...(query && { query }),
    ...more,
  }
}

const stats = (asked: object, signal: AbortSignal): Promise<Stats> => post<Stats>('/calls/stats', asked, { signal })

/** Length of a chart's buckets; beyond a month the server counts in days. */
export const stepOf = ({ from, to }: Span, most = bucketsMax): number =>
  Math.max(1_000, bucketLength(to - from, most), to - from > finestMs ? dayMs : 0)

/** How many traces, or calls of an op, have which status over time. */
export const readStatuses = (scope: DashboardScope, signal: AbortSignal) =>
  stats(
    body(scope, true, {
      granularity: stepOf(scope.span) / 1_000,
      group_by: 'summary.ext.status',
      call_metrics: sums('call_count'),
    }),
    signal,
  )

/** Latency of traces over time, or of the calls of an op, and how many there are. */
export const readTraffic = (scope: DashboardScope, signal: AbortSignal) =>
  stats(
    body(scope, true, {
      granularity: stepOf(scope.span) / 1_000,
      call_metrics: [latency, ...sums('call_count')],
    }),
    signal,
  )

/** The same statistics for the whole range. */
export const readTotals = (scope: DashboardScope, signal: AbortSignal) =>
  stats(body(scope, true, { granularity: oneBucket, call_metrics: [latency] }), signal)

/** Tokens and cost of all calls by model over time. */
export const readUsage = (scope: DashboardScope, signal: AbortSignal) =>
  stats(body(scope, false, { granularity: stepOf(scope.span) / 1_000, usage_metrics: usage }), signal)

/** Figures of the ops with most calls. */
export const readOps = (scope: DashboardScope, signal: AbortSignal) =>
  stats(
    body(scope, false, {
      granularity: oneBucket,
      group_by: 'op_name',
      group_limit: opsMax,
      call_metrics: [latency, ...sums('call_count', 'error_count')],
      usage_metrics: usage,
    }),
    signal,
  )

/** Calls of those ops over time. */
export const readOpTrends = (scope: DashboardScope, signal: AbortSignal) =>
  stats(
    body(scope, false, {
      granularity: stepOf(scope.span, sparkBuckets) / 1_000,
      group_by: 'op_name',
      group_limit: opsMax,
      call_metrics: sums('call_count'),
    }),
    signal,
  )

interface PayloadPath {
  readonly json_path: string
  readonly value_type: 'numeric' | 'boolean' | 'categorical'
}

/** A score over time: the mean of a value in the payloads of feedback. */
export interface ScoreStats {
  readonly path: string
  readonly isBoolean: boolean
  readonly buckets: readonly StatsRow[]
  readonly mean: number | undefined
}

/** The first score that the feedback of the range has; undefined if there is none. */
export async function readScore(scope: DashboardScope, signal: AbortSignal): Promise<ScoreStats | null> {
  // Ranges beyond a month are answered where buckets are at least a day.
  const range = body({ ...scope, op: undefined }, false, { granularity: stepOf(scope.span) / 1_000 })
  const { paths } = await post<{ paths: PayloadPath[] }>('/feedback/payload_schema', range, { signal })
  const score = paths.find(({ value_type }) => value_type !== 'categorical')
  if (!score) return null
  const isBoolean = score.value_type === 'boolean'
  const aggregations = isBoolean ? ['count_true', 'count'] : ['avg', 'count']
  const { buckets, window_stats } = await post<{
    buckets: StatsRow[]
    window_stats: Record<string, Record<string, number | null>> | null
  }>('/feedback/stats', { ...range, metrics: [{ ...score, aggregations }] }, { signal })
  const whole = Object.values(window_stats ?? {})[0]
  const mean = isBoolean ? shareOf(whole?.['count_true'], whole?.['count']) : (whole?.['avg'] ?? undefined)
  return { path: score.json_path, isBoolean, buckets, mean }
}

const shareOf = (part: number | null | undefined, all: number | null | undefined): number | undefined =>
  part == null || !all ? undefined : part / all
