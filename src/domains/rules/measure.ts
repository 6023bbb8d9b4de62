import { operationLimits } from '../../lib/limits/operations.ts'
import { ruleLimits } from '../../lib/limits/rules.ts'
import { Semaphore } from '../../lib/semaphore.ts'
import { formatTime } from '../../lib/time.ts'
import { allOf, compares, conditionIn, not } from '../../query/grammar.ts'
import type { ProjectReader } from '../access/index.ts'
import type { Feedback } from '../feedback/index.ts'
import type { CallStatistics, CallStatsRequest } from '../usage/index.ts'
import type { Rule, RuleMetric } from './model/rules.ts'
import type { StoredRule } from './stored-rule.ts'

export type Condition = NonNullable<Rule['condition']>

/** The value of a metric in a window of time. */
export interface Measurement {
  /** Null if there is nothing to measure. */
  readonly value: number | null
  /** Calls, or scores, in the window. */
  readonly count: number
}

type MetricsOfCalls = Pick<CallStatsRequest, 'call_metrics' | 'usage_metrics'>
type CallMetrics = NonNullable<CallStatsRequest['call_metrics']>

/** By metric: the statistics of calls that it needs, and its value among them. */
const callStatistics: Readonly<
  Record<
    Exclude<RuleMetric, 'score_avg' | 'total_cost'>,
    { readonly metrics: CallMetrics; value(of: Readonly<Record<string, unknown>>): unknown }
  >
> = {
  call_count: { metrics: [{ metric: 'call_count', aggregations: ['sum'] }], value: ({ count }) => count },
  error_count: {
    metrics: [{ metric: 'error_count', aggregations: ['sum'] }],
    value: ({ sum_error_count }) => sum_error_count,
  },
  error_rate: {
    metrics: [{ metric: 'error_count', aggregations: ['avg'] }],
    value: ({ count, avg_error_count }) => (count === 0 ? null : avg_error_count),
  },
  latency_avg_ms: {
    metrics: [{ metric: 'latency_ms', aggregations: ['avg'] }],
    value: ({ count, avg_latency_ms }) => (count === 0 ? null : avg_latency_ms),
  },
  latency_p95_ms: {
    metrics: [{ metric: 'latency_ms', percentiles: [95] }],
    value: ({ p95_latency_ms }) => p95_latency_ms,
  },
}

/** Measures the metrics of rules with the statistics that the API also offers. */
export class Measurements {
  private readonly calls: CallStatistics
  private readonly feedback: Feedback
  private readonly readers = new Semaphore(ruleLimits.ruleReadersMax)

  constructor(options: { calls: CallStatistics; feedback: Feedback }) {
    this.calls = options.calls
    this.feedback = options.feedback
  }

  /** Measures over the window that ends at a time in microseconds. @throws DomainError */
  async measure(
    reader: ProjectReader,
    rule: StoredRule,
    condition: Condition,
    endMicros: number,
    signal: AbortSignal,
  ): Promise<Measurement> {
    const { metric } = condition
    if (metric === 'score_avg') return await this.score(reader, condition, endMicros, signal)
    const request = requestOf(reader, rule, condition, endMicros)
    const isCost = metric === 'total_cost'
    const metrics: MetricsOfCalls = isCost
      ? { call_metrics: [{ metric: 'call_count' }], usage_metrics: [{ metric: 'total_cost', aggregations: ['sum'] }] }
      : { call_metrics: callStatistics[metric].metrics }
    const { call_buckets, usage_buckets } = await this.readers.run(() =>
      this.calls.stats(reader, { ...request, ...metrics }, signal),
    )
    const whole = call_buckets[0] ?? { count: 0 }
    const count = Number(whole['count'] ?? 0)
    if (isCost) {
      return { count, value: usage_buckets.reduce((sum, bucket) => sum + Number(bucket['sum_total_cost'] ?? 0), 0) }
    }
    const value = callStatistics[metric].value(whole)
    return { count, value: typeof value === 'number' ? value : null }
  }

  private async score(
    reader: ProjectReader,
    { scorer, score_path, window_seconds }: Condition,
    endMicros: number,
    signal: AbortSignal,
  ): Promise<Measurement> {
    const path = score_path ?? 'output'
    const request = {
      project_id: reader.projectId,
      start: (endMicros - window_seconds * 1e6) / 1e6,
      end: endMicros / 1e6,
      feedback_type: `ext.runnable.${scorer}`,
      metrics: [
        { json_path: path, value_type: 'numeric' as const, aggregations: ['sum' as const, 'count' as const] },
        {
          json_path: path,
          value_type: 'boolean' as const,
          aggregations: ['count_true' as const, 'count_false' as const],
        },
      ],
    }
    const { window_stats } = await this.feedback.statistics.stats(reader, request, signal)
    const found: Record<string, number | null> = Object.assign({}, ...Object.values(window_stats ?? {}))
    const trues = found['count_true'] ?? 0
    const count = (found['count'] ?? 0) + trues + (found['count_false'] ?? 0)
    return { count, value: count === 0 ? null : ((found['sum'] ?? 0) + trues) / count }
  }
}

/** Statistics select calls by their start, so the end is a condition of its own. */
function requestOf(
  { projectId }: ProjectReader,
  { filter, query }: StoredRule,
  { window_seconds }: Condition,
  endMicros: number,
): Omit<CallStatsRequest, keyof MetricsOfCalls> {
  const startMicros = endMicros - window_seconds * 1e6
  const own = conditionIn(query)
  const endedAfter = (micros: number) => compares('ended_at', '$gt', micros / 1e6)
  const ended = [endedAfter(startMicros), not(endedAfter(endMicros))]
  return {
    project_id: projectId,
    start: formatTime(startMicros - ruleLimits.ruleCallSecondsMax * 1e6),
    end: formatTime(endMicros),
    granularity: operationLimits.statsBucketSecondsMax,
    filter,
    query: { $expr: allOf(...(own === undefined ? [] : [own]), ...ended) },
  }
}
