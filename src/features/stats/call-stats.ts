import type { ProjectReader } from '../../foundation/access/caller.ts'
import { checkAnswerSize, finiteOrNull } from '../../foundation/stats/figures.ts'
import { parseTimeRange, type TimeRange } from '../../foundation/stats/time-range.ts'
import type { Relation } from '../../kernel/relation.ts'
import { formatTime } from '../../kernel/time.ts'
import { limits } from '../../limits.ts'
import type { CallMetric, CallStats, CallStatsRequest, Figure, UsageMetric } from '../../model/call-stats.ts'
import type { Clock } from '../../platform/clock.ts'
import { parseCallsFilter } from '../../query/filter.ts'
import {
  type CallStatsScope,
  compileBuckets,
  compileCallFigures,
  compileUsageTexts,
  type MetricFigures,
} from '../../query/sql/stats/call-figures.ts'
import { type Buckets, compileZoneOffsets } from '../../query/sql/stats/time-buckets.ts'
import { compileUsageFigures, compileUsageModels, type UsageRate } from '../../query/sql/stats/usage-figures.ts'
import type { Costs } from '../../records/costs/costs.ts'
import type { PriceBook } from '../../records/costs/price-book.ts'
import { usageRates } from '../../records/costs/usage-rates.ts'
import type { Snapshot } from '../../store/snapshot.ts'
import type { Store } from '../../store/store.ts'
import { callsCatalog } from '../../tables/calls-query.ts'
import { callsTable } from '../../tables/calls-table.ts'
import { costsTable } from '../../tables/costs-table.ts'
import { callMetricsOf, usageMetricsOf } from './asked-metrics.ts'
import { type UsageFigures, UsageFromTexts } from './usage-from-texts.ts'

type UsageMetrics = readonly MetricFigures<UsageMetric>[]

/** What to read, from where, and the time buckets. */
interface StatsRead {
  readonly snapshot: Snapshot
  readonly relation: Relation
  readonly scope: CallStatsScope
  readonly buckets: Buckets
}

/** Statistics of calls over time, and of their usage by time and model. */
export class CallStatistics {
  private readonly store: Store
  private readonly costs: Costs
  private readonly clock: Clock

  constructor(options: { store: Store; costs: Costs; clock: Clock }) {
    this.store = options.store
    this.costs = options.costs
    this.clock = options.clock
  }

  /** @throws DomainError InvalidRequest for an invalid range, filter or percentile */
  async stats(reader: ProjectReader, question: CallStatsRequest, signal: AbortSignal): Promise<CallStats> {
    const range = parseTimeRange(question, this.clock.nowMs())
    const times = { start: formatTime(range.start), end: formatTime(range.end), timezone: range.timezone }
    const usageMetrics = usageMetricsOf(question)
    const callMetrics = callMetricsOf(question)
    if (usageMetrics.length + callMetrics.length === 0) {
      return { ...times, granularity: 0, usage_buckets: [], call_buckets: [] }
    }
    const { projectId } = reader
    const scope = {
      projectId,
      where: parseCallsFilter(question.filter, projectId, callsCatalog),
      start: range.start,
      end: range.end,
    }
    return await this.store.read([callsTable.name, costsTable.name], { projectId, signal }, async (snapshot) => {
      const buckets = { ...range, offsetSeconds: await zoneOffset(snapshot, range) }
      const relation = snapshot.relation(callsTable.name)
      const read = { snapshot, relation, scope, buckets }
      const series = (await snapshot.rows(compileBuckets(range, buckets))).map(([bucket]) => bucket as number)
      checkAnswerSize(series.length, figureCount(callMetrics))
      const usage = usageMetrics.length === 0 ? [] : await this.usage(reader, read, usageMetrics)
      return {
        ...times,
        granularity: range.granularitySeconds,
        usage_buckets: usageBuckets(series, usageMetrics, usage),
        call_buckets: callMetrics.length === 0 ? [] : await callBuckets(series, callMetrics, read),
      }
    })
  }

  private async usage(reader: ProjectReader, read: StatsRead, metrics: UsageMetrics): Promise<UsageFigures[]> {
    const { snapshot, relation, scope, buckets } = read
    const found = await snapshot.rows(compileUsageModels(scope, relation))
    const prices = await this.costs.priceBook(snapshot, reader)
    const models = found.map(([model]) => model as string | null)
    const rates = ratesThroughout(models, metrics, scope, prices)
    if (rates === undefined) {
      const usage = new UsageFromTexts(metrics, prices)
      await snapshot.forEachChunk(compileUsageTexts(scope, buckets, relation), (columns) => usage.add(columns))
      return usage.figures
    }
    const rows = await snapshot.rows(compileUsageFigures(scope, buckets, relation, metrics, rates))
    return rows.map(([bucket, model, ...figures]) => ({
      bucket: bucket as number,
      model: model as string,
      figures: figures as (number | null)[],
    }))
  }
}

/**
 * Prices of the models; undefined if columns and constant prices do not suffice, so that calls must
 * be processed one by one.
 */
function ratesThroughout(
  models: readonly (string | null)[],
  metrics: UsageMetrics,
  { start, end }: CallStatsScope,
  prices: PriceBook,
): UsageRate[] | undefined {
  const isPriced = metrics.some(({ metric }) => metric.endsWith('_cost'))
  const rates: UsageRate[] = []
  for (const model of models) {
    if (model === null) return undefined
    if (!isPriced) continue
    const price = prices.priceThroughout(model, start, end)
    if (price === undefined) return undefined
    if (price !== null) rates.push(...usageRates(model, price))
  }
  return rates
}

/** UTC offset of the time zone; undefined if it changes within the range. */
async function zoneOffset(snapshot: Snapshot, range: TimeRange): Promise<number | undefined> {
  if (range.timezone === 'UTC') return 0
  // A long bucket starts long before the range.
  if (range.granularitySeconds > limits.statsRangeDaysMax * 86_400) return undefined
  const offsets = await snapshot.rows(compileZoneOffsets(range, range))
  return offsets.length === 1 ? (offsets[0]![0] as number) : undefined
}

type Bucket = Record<string, string | number | null>

const figureCount = (metrics: readonly MetricFigures<string>[]): number =>
  metrics.reduce((sum, { figures }) => sum + figures.length, 0)

async function callBuckets(
  series: readonly number[],
  metrics: readonly MetricFigures<CallMetric>[],
  { snapshot, relation, scope, buckets }: StatsRead,
): Promise<Bucket[]> {
  const rows = await snapshot.rows(compileCallFigures(scope, buckets, relation, metrics))
  const found = new Map(rows.map(([bucket, ...figures]) => [bucket as number, figures as (number | null)[]]))
  return series.map((bucket) => ({ timestamp: formatTime(bucket), ...named(metrics, found.get(bucket)) }))
}

/**
 * All buckets with all models that have usage in any of them. @throws DomainError InvalidRequest
 * for too many of them
 */
function usageBuckets(series: readonly number[], metrics: UsageMetrics, usage: readonly UsageFigures[]): Bucket[] {
  const models = [...new Set(usage.map(({ model }) => model))].sort()
  checkAnswerSize(series.length, figureCount(metrics), models.length)
  const found = new Map(usage.map(({ bucket, model, figures }) => [`${bucket} ${model}`, figures]))
  return series.flatMap((bucket) =>
    models.map((model) => ({
      timestamp: formatTime(bucket),
      model,
      ...named(metrics, found.get(`${bucket} ${model}`)),
    })),
  )
}

/**
 * Names the values (number of calls, then those of the metrics in order); for no calls if there are
 * none.
 */
function named(
  metrics: readonly MetricFigures<string>[],
  figures: readonly (number | null)[] | undefined,
): Record<string, number | null> {
  const names = metrics.flatMap(({ metric, figures }) => figures.map((figure) => ({ metric, figure })))
  const entries = names.map(
    ({ metric, figure }, index) =>
      [`${figure.name}_${metric}`, figures ? finiteOrNull(figures[index + 1]!) : ofNone(figure)] as const,
  )
  return { ...Object.fromEntries(entries), count: figures?.[0] ?? 0 }
}

const ofNone = ({ of }: Figure): number | null => (typeof of === 'number' || of === 'min' || of === 'max' ? null : 0)
