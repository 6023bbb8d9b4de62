import { neutralFeedbackType } from '../../formats/dialect/feedback-type.ts'
import { DomainError } from '../../lib/errors.ts'
import { operationLimits } from '../../lib/limits/operations.ts'
import { itemAt } from '../../lib/present.ts'
import { payloadPath } from '../feedback/index.ts'
import type { Aggregation, CallMetric, CallStatsRequest, Statistic, UsageMetric } from './model/call-stats.ts'
import type { MetricStatistics } from './sql/call-statistics.ts'

interface RequestedMetric<Metric extends string> {
  readonly metric: Metric
  readonly aggregations?: readonly Aggregation[] | null | undefined
  readonly percentiles?: readonly number[] | null | undefined
}

/**
 * The distinct call metrics of a request. @throws DomainError InvalidRequest for an invalid
 * percentile
 */
export const callMetricsOf = ({ call_metrics }: CallStatsRequest): MetricStatistics<CallMetric>[] =>
  merged(call_metrics ?? [])

/** The distinct usage metrics. Costs are only summed, and include the tokens they are for. */
export function usageMetricsOf({ usage_metrics }: CallStatsRequest): MetricStatistics<UsageMetric>[] {
  const requested = (usage_metrics ?? []).flatMap((spec): RequestedMetric<UsageMetric>[] => {
    const tokens = tokensOf[spec.metric]
    if (tokens === undefined) return [spec]
    return [spec.metric, ...tokens].map((metric) => ({ metric, aggregations: ['sum'] }))
  })
  return merged(requested)
}

/** A score as requested. */
export interface AskedScore {
  readonly path: readonly string[]
  readonly feedbackType: string | undefined
  readonly metric: MetricStatistics<'score'>
}

/** The score of a request. @throws DomainError InvalidRequest for an invalid path or percentile */
export function scoreOf({ score }: CallStatsRequest): AskedScore | undefined {
  if (!score) return undefined
  const { json_path, feedback_type, ...statistics } = score
  const metric = itemAt(merged([{ metric: 'score' as const, ...statistics }]), 0)
  return {
    path: payloadPath(json_path),
    feedbackType: feedback_type ? neutralFeedbackType(feedback_type) : undefined,
    metric,
  }
}

const tokensOf: Partial<Record<UsageMetric, readonly UsageMetric[]>> = {
  input_cost: ['input_tokens'],
  output_cost: ['output_tokens'],
  total_cost: ['input_tokens', 'output_tokens'],
}

function merged<Metric extends string>(requested: readonly RequestedMetric<Metric>[]): MetricStatistics<Metric>[] {
  const metrics = new Map<Metric, Map<string, Statistic>>()
  for (const { metric, aggregations, percentiles } of requested) {
    const wrong = percentiles?.find((percentile) => percentile < 0 || percentile > 100)
    if (wrong !== undefined) {
      throw new DomainError('InvalidRequest', `Percentiles must be from 0 to 100, not ${wrong}`)
    }
    const named = [...(aggregations ?? []), ...(percentiles ?? [])].map(statisticOf)
    const statistics = metrics.get(metric) ?? new Map<string, Statistic>()
    for (const statistic of named.length === 0 ? [statisticOf('sum')] : named) statistics.set(statistic.name, statistic)
    metrics.set(metric, statistics)
  }
  const found = [...metrics].map(([metric, statistics]) => ({ metric, statistics: [...statistics.values()] }))
  const count = found.reduce((sum, { statistics }) => sum + statistics.length, 0)
  if (count > operationLimits.columnsMax) {
    throw new DomainError(
      'InvalidRequest',
      `Too many metrics: ${count}; at most ${operationLimits.columnsMax} are allowed, counting each aggregation and ` +
        'percentile',
    )
  }
  return found
}

const statisticOf = (of: Statistic['of']): Statistic => ({ of, name: typeof of === 'number' ? `p${of}` : of })
