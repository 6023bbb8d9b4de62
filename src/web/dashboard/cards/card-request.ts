import { post } from '../../api/client.ts'
import type { Span } from '../../chart/span.ts'
import type { FilterNode } from '../../filter/expression.ts'
import { pathOfName, requestPath } from '../../filter/fields.ts'
import { readFilter } from '../../filter/filter-text.ts'
import { toQuery } from '../../filter/to-query.ts'
import { timeZone } from '../../format/time.ts'
import { boardText } from '../../text/board.ts'
import { type StatsRow, stepOf } from '../read-stats.ts'
import type { CallsSource, Metric } from './board.ts'

/** Groups of a card; the others are added up. */
export const groupsMax = 8

const modelsPath = 'usage.models'

/** Answer to the request of a card. */
export interface CardStats {
  readonly granularity: number
  readonly usage_buckets: readonly StatsRow[]
  readonly call_buckets: readonly StatsRow[]
  readonly score_buckets?: readonly StatsRow[]
  readonly usage_totals: readonly StatsRow[]
  readonly call_totals: readonly StatsRow[]
  readonly score_totals?: readonly StatsRow[]
}

/** A card that cannot be asked for; the message says what to change. */
export class UnreadableCard extends Error {
  override readonly name = 'UnreadableCard'
}

const sum = (metric: string) => ({ metric, aggregations: ['sum'] })
const callCount = sum('call_count')

/** What is asked of the server for a metric. */
const asked: Readonly<Record<Exclude<Metric, 'score'>, object>> = {
  calls: { call_metrics: [callCount] },
  errors: { call_metrics: [callCount, sum('error_count')] },
  error_rate: { call_metrics: [callCount, sum('error_count')] },
  p50: { call_metrics: [{ metric: 'latency_ms', percentiles: [50], aggregations: ['count'] }] },
  p90: { call_metrics: [{ metric: 'latency_ms', percentiles: [90], aggregations: ['count'] }] },
  p95: { call_metrics: [{ metric: 'latency_ms', percentiles: [95], aggregations: ['count'] }] },
  p99: { call_metrics: [{ metric: 'latency_ms', percentiles: [99], aggregations: ['count'] }] },
  tokens_in: { usage_metrics: [sum('input_tokens')] },
  tokens_out: { usage_metrics: [sum('output_tokens')] },
  cost: { usage_metrics: [sum('total_cost')] },
}

/** Whether a metric is of usage, which only calls themselves have. */
export const isOfUsage = (metric: Metric): boolean =>
  metric === 'tokens_in' || metric === 'tokens_out' || metric === 'cost'

/**
 * Whether only traces count, rather than all calls. Models and usage are of calls: what filters
 * call the models of a trace are those of all calls in it.
 */
export const areTraces = (source: CallsSource): boolean => source.rows === 'traces' && mayBeTraces(source)

/** Whether a card may be about traces. */
export const mayBeTraces = ({ metric, group }: CallsSource): boolean =>
  !isOfUsage(metric) && pathOfName(group.trim()) !== modelsPath

/** The filter of a card. @throws UnreadableCard */
export function filterOf({ filter }: CallsSource): FilterNode | undefined {
  const { node, error } = readFilter(filter)
  if (error) throw new UnreadableCard(error.message)
  return node
}

/** The path by which a card groups; undefined without groups. @throws UnreadableCard */
export function groupPathOf({ group }: CallsSource): string | undefined {
  if (group.trim() === '') return undefined
  const path = pathOfName(group.trim())
  if (path === undefined) throw new UnreadableCard(boardText.unknownField(group))
  return path
}

/**
 * Usage is reported by model anyway: a call may have used several, and each counts for its own.
 */
export const groupsByReportedModel = (source: CallsSource): boolean =>
  isOfUsage(source.metric) && groupPathOf(source) === modelsPath

/** The request to `/calls/stats` that fills a card. @throws UnreadableCard */
export function statsRequest(projectId: string, source: CallsSource, span: Span): object {
  const path = groupPathOf(source)
  const query = toQuery(filterOf(source), areTraces(source))
  const { metric, scorePath, scoreType } = source
  if (metric === 'score' && scorePath.trim() === '') throw new UnreadableCard(boardText.noScorePath)
  const score = { json_path: scorePath.trim(), feedback_type: scoreType.trim() || null, aggregations: ['avg', 'count'] }
  return {
    project_id: projectId,
    start: new Date(span.from).toISOString(),
    end: new Date(span.to).toISOString(),
    granularity: stepOf(span) / 1_000,
    timezone: timeZone.peek(),
    totals: true,
    ...(metric === 'score' ? { score } : asked[metric]),
    ...(areTraces(source) && { filter: { trace_roots_only: true } }),
    ...(query && { query }),
    ...(path !== undefined &&
      !groupsByReportedModel(source) && {
        group_by: path === modelsPath ? 'model' : requestPath(path, false),
        group_limit: groupsMax,
      }),
  }
}

/** Reads what a card shows. @throws {Problem} @throws UnreadableCard */
export const readStats = (
  projectId: string,
  source: CallsSource,
  span: Span,
  signal: AbortSignal,
): Promise<CardStats> => post<CardStats>('/calls/stats', statsRequest(projectId, source, span), { signal })
