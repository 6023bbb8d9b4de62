import type { Snapshot } from '../../engine/reads/snapshot.ts'
import type { Store } from '../../engine/store.ts'
import { costsTable } from '../../engine/tables/costs-table.ts'
import { feedbackTable } from '../../engine/tables/feedback-table.ts'
import { present } from '../../lib/present.ts'
import type { Relation } from '../../lib/relation.ts'
import type { Cell } from '../../lib/table.ts'
import { formatTime, justBefore } from '../../lib/time.ts'
import { numberIn, textIn } from '../../lib/typed-rows.ts'
import { planWithin, type UsageRate } from '../../query/calls-plan.ts'
import type { Buckets } from '../../query/sql/stats/time-buckets.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import type { ProjectReader } from '../access/index.ts'
import { HeavyQuestions, planPricedRows, pricedRelations, tablesOf } from '../calls/index.ts'
import { type Costs, type PriceBook, usageRates } from '../costs/index.ts'
import { checkAnswerSize, parseTimeRange } from '../records/index.ts'
import { bucketRows, type Series, statisticCount, usageRows } from './bucket-rows.ts'
import { bucketStarts, bucketsOf, zoneOffsets } from './bucket-starts.ts'
import { groupFieldOf, topGroups } from './groups.ts'
import { latencyHistogram } from './latency-histogram.ts'
import type { CallMetric, CallStats, CallStatsRequest, StatsRow, UsageMetric } from './model/call-stats.ts'
import { type AskedScore, callMetricsOf, scoreOf, usageMetricsOf } from './requested-metrics.ts'
import { rolledUpCallRows, rolledUpCalls, rolledUpUsageRows, withOrWithoutRollups } from './rolled-up-stats.ts'
import {
  type CallGroups,
  type CallStatsScope,
  compileCallStatistics,
  compileUsageTexts,
  type MetricStatistics,
} from './sql/call-statistics.ts'
import type { RolledUpRequest } from './sql/rolled-up-rows.ts'
import { areSums, haveCallStatistics } from './sql/rolled-up-statistics.ts'
import { compileScoreStatistics } from './sql/score-statistics.ts'
import { compileUsageModels, compileUsageStatistics } from './sql/usage-statistics.ts'
import { UsageFromTexts, type UsageStatistics } from './usage-from-texts.ts'

type UsageMetrics = readonly MetricStatistics<UsageMetric>[]

/** What to read, from where, and the time buckets. */
interface StatsRead {
  readonly snapshot: Snapshot
  readonly relation: Relation
  readonly scope: CallStatsScope
  readonly buckets: Buckets
  readonly groups: CallGroups | undefined
  /** The same request about calls that are added up; undefined if rollups are of no use. */
  readonly rolledUp: RolledUpRequest | undefined
}

interface Asked {
  readonly usageMetrics: UsageMetrics
  readonly callMetrics: readonly MetricStatistics<CallMetric>[]
  readonly score: AskedScore | undefined
}

/** Statistics of calls over time, and of their usage by time and model. */
export class CallStatistics {
  private readonly store: Store
  private readonly costs: Costs
  private readonly clock: Clock
  private readonly heavy: HeavyQuestions

  /** @param options `heavy`: by default, DuckDB reads all */
  constructor(options: { store: Store; costs: Costs; clock: Clock; heavy?: HeavyQuestions }) {
    this.store = options.store
    this.costs = options.costs
    this.clock = options.clock
    this.heavy = options.heavy ?? new HeavyQuestions()
  }

  /** @throws DomainError InvalidRequest for an invalid range, filter or percentile */
  async stats(reader: ProjectReader, request: CallStatsRequest, signal: AbortSignal): Promise<CallStats> {
    const range = parseTimeRange(request, this.clock.nowMs())
    const times = { start: formatTime(range.start), end: formatTime(range.end), timezone: range.timezone }
    const usageMetrics = usageMetricsOf(request)
    const callMetrics = callMetricsOf(request)
    const { histogram } = request
    const score = scoreOf(request)
    if (usageMetrics.length + callMetrics.length === 0 && !histogram && !score) {
      return { ...times, granularity: 0, usage_buckets: [], call_buckets: [] }
    }
    const plan = planPricedRows(reader, { filter: request.filter, query: request.query })
    const groupField = groupFieldOf(request)
    const { projectId } = reader
    const tables = [...new Set([...tablesOf(plan), costsTable.name, ...(score ? [feedbackTable.name] : [])])]
    const answer = (usesRollups: boolean) =>
      this.heavy.read(this.store, { tables, projectId, signal, engine: request.engine }, async (snapshot, search) => {
        const offsets = await zoneOffsets(snapshot, range)
        const buckets = bucketsOf(range, offsets)
        const within = { after: justBefore(range.start), through: justBefore(range.end) }
        // So that no files of other times are read.
        const inRange = planWithin(plan, within)
        const relations = await pricedRelations(this.costs, snapshot, inRange, reader, groupField && [groupField])
        const found = await search.narrowedWithin({ plan, relations }, within)
        const { where } = found.plan
        const { calls: relation, feedback, queues, usage } = found.relations
        const scope = { projectId, feedback, queues, usage, where, start: range.start, end: range.end }
        const series = await bucketStarts(snapshot, range, buckets)
        checkAnswerSize(series.length, statisticCount(callMetrics))
        const onlySums = !histogram && areSums(callMetrics)
        const rollups = { offsets, where, groupField, onlySums }
        const calls = usesRollups ? await rolledUpCalls(snapshot, range, rollups) : undefined
        const common = { snapshot, relation, scope, buckets }
        const sums = calls && { scope, calls, buckets, groups: undefined }
        const groups = groupField && (await topGroups({ ...common, rolledUp: sums }, groupField, request))
        const read = { ...common, groups, rolledUp: sums && { ...sums, groups } }
        const ranges = histogram && (await latencyHistogram(read, series, histogram.buckets))
        const asked = { usageMetrics, callMetrics, score }
        const rows = await this.rowsOf(reader, read, series, asked)
        const totals = request.totals ? await this.rowsOf(reader, ofWholeRange(read), undefined, asked) : undefined
        return {
          ...times,
          granularity: range.granularitySeconds,
          usage_buckets: rows.usage,
          call_buckets: rows.calls,
          ...(score && { score_buckets: rows.scores }),
          ...(totals && { usage_totals: totals.usage, call_totals: totals.calls }),
          ...(totals && score && { score_totals: totals.scores }),
          ...(ranges && { histogram: ranges }),
        }
      })
    return await withOrWithoutRollups(this.store, answer)
  }

  private async rowsOf(
    reader: ProjectReader,
    read: StatsRead,
    series: Series,
    { usageMetrics, callMetrics, score }: Asked,
  ): Promise<{ usage: StatsRow[]; calls: StatsRow[]; scores: StatsRow[] }> {
    const { groups } = read
    const usage = usageMetrics.length === 0 ? [] : await this.usage(reader, read, usageMetrics)
    const calls =
      callMetrics.length === 0 ? [] : bucketRows(series, callMetrics, await callRows(callMetrics, read), groups)
    const scores = score ? bucketRows(series, [score.metric], await scoreRows(score, read), groups) : []
    return { usage: usageRows(series, usageMetrics, usage, groups), calls, scores }
  }

  private async usage(reader: ProjectReader, read: StatsRead, metrics: UsageMetrics): Promise<UsageStatistics[]> {
    const { snapshot, relation, scope, buckets, groups, rolledUp } = read
    const prices = await this.costs.priceBook(snapshot, reader)
    const ratesOf = (models: readonly (string | null)[]) => ratesThroughout(models, metrics, scope, prices)
    const sums = rolledUp && (await rolledUpUsageRows(snapshot, rolledUp, metrics, ratesOf))
    if (sums !== undefined) return sums.map(usageStatisticsOf)
    const models = await snapshot.rows(compileUsageModels(scope, relation))
    const rates = ratesOf(models.map(({ model }) => model))
    if (rates === undefined) {
      const usage = new UsageFromTexts(metrics, prices)
      await snapshot.forEachChunk(compileUsageTexts(scope, buckets, relation, groups), (rows) => usage.add(rows))
      return usage.statistics
    }
    const rows = await snapshot.rows(compileUsageStatistics(scope, buckets, relation, metrics, rates, groups))
    return rows.map(usageStatisticsOf)
  }
}

const usageStatisticsOf = ([bucket, place, model, ...statistics]: readonly Cell[]): UsageStatistics => ({
  bucket: present(numberIn(bucket), 'The start of a bucket'),
  place: present(numberIn(place), 'The place of a group'),
  model: textIn(model),
  statistics: statistics.map(numberIn),
})

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

/** The same request about one bucket, which is the whole range. */
function ofWholeRange(read: StatsRead): StatsRead {
  const buckets = { ...read.buckets, isWhole: true }
  return { ...read, buckets, rolledUp: read.rolledUp && { ...read.rolledUp, buckets } }
}

async function callRows(
  metrics: readonly MetricStatistics<CallMetric>[],
  { snapshot, relation, scope, buckets, groups, rolledUp }: StatsRead,
): Promise<Cell[][]> {
  return rolledUp !== undefined && haveCallStatistics(metrics)
    ? await rolledUpCallRows(snapshot, rolledUp, metrics)
    : await snapshot.rows(compileCallStatistics(scope, buckets, relation, metrics, groups))
}

async function scoreRows(
  { path, feedbackType, metric }: AskedScore,
  { snapshot, relation, scope, buckets, groups }: StatsRead,
): Promise<Cell[][]> {
  const source = { path, feedbackType, feedback: snapshot.relation(feedbackTable.name) }
  return await snapshot.rows(compileScoreStatistics(scope, buckets, relation, source, metric.statistics, groups))
}
