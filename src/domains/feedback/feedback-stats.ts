import type { Store } from '../../engine/store.ts'
import { feedbackTable } from '../../engine/tables/feedback-table.ts'
import { neutralFeedbackType } from '../../formats/dialect/feedback-type.ts'
import { allSpellings } from '../../formats/dialect/ref.ts'
import { DomainError } from '../../lib/errors.ts'
import { operationLimits } from '../../lib/limits/operations.ts'
import { present } from '../../lib/present.ts'
import type { Sql } from '../../lib/sql.ts'
import type { Cell } from '../../lib/table.ts'
import { formatTime } from '../../lib/time.ts'
import { numberIn, textIn } from '../../lib/typed-rows.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import type { ProjectReader } from '../access/index.ts'
import { bucketsMax, checkAnswerSize, finiteOrNull, parseTimeRange, type TimeRange } from '../records/index.ts'
import { aggregateFeedback } from './aggregate-feedback.ts'
import { readDistributions } from './distributions.ts'
import type { DistributionsRequest, FeedbackDistributions } from './model/distributions.ts'
import type {
  FeedbackAggregate,
  FeedbackAggregateRequest,
  FeedbackMetric,
  FeedbackStats,
  FeedbackStatsRequest,
  PayloadPath,
  PayloadSchemaRequest,
} from './model/feedback.ts'
import { payloadPath, payloadPaths } from './payload-paths.ts'
import {
  type Aggregation,
  compileFeedbackStats,
  compilePayloadSample,
  type FeedbackScope,
  type FeedbackStatistic,
} from './sql/feedback-statistics.ts'

/** A statistic with its names in the response. */
interface NamedStatistic extends FeedbackStatistic {
  readonly slug: string
  readonly name: string
}

/** Statistics of feedback payloads over time. */
export class FeedbackStatistics {
  private readonly store: Store
  private readonly clock: Clock

  constructor({ store, clock }: { store: Store; clock: Clock }) {
    this.store = store
    this.clock = clock
  }

  /**
   * @throws DomainError InvalidRequest for an invalid range, path or percentile; RequestCancelled
   */
  async stats(reader: ProjectReader, request: FeedbackStatsRequest, signal: AbortSignal): Promise<FeedbackStats> {
    const range = parseTimeRange(request, this.clock.nowMs())
    const { timezone } = range
    const times = { start: formatTime(range.start), end: formatTime(range.end), timezone }
    const statistics = (request.metrics ?? []).flatMap(statisticsOf)
    if (statistics.length === 0) return { ...times, granularity: 3600, buckets: [], window_stats: null }
    if (statistics.length > operationLimits.columnsMax)
      throw invalid(
        `Too many metrics: ${statistics.length}; at most ${operationLimits.columnsMax} are allowed, counting each ` +
          'aggregation and percentile',
      )
    checkAnswerSize(bucketsMax(range), statistics.length)
    const scope = scopeOf(reader, request, range)
    const rows = await this.rows(scope, (relation) => compileFeedbackStats(scope, statistics, range, relation), signal)
    // The last row is the whole range.
    const [, , ...whole] = present(rows.pop(), 'The row of the whole range')
    return {
      ...times,
      granularity: range.granularitySeconds,
      buckets: rows.map(([bucket, count, ...cells]) => ({
        timestamp: formatTime(present(numberIn(bucket), 'The start of a bucket')),
        count: present(numberIn(count), 'The count of a bucket'),
        ...Object.fromEntries(
          statistics.map(({ slug, name }, index) => [`${name}_${slug}`, finiteOrNull(numberIn(cells[index]))]),
        ),
      })),
      window_stats: bySlug(statistics, whole),
    }
  }

  /**
   * Leaf paths of recent payloads, sorted: what can be passed to `stats`. @throws DomainError
   * InvalidRequest, RequestCancelled
   */
  async payloadSchema(
    reader: ProjectReader,
    request: PayloadSchemaRequest,
    signal: AbortSignal,
  ): Promise<PayloadPath[]> {
    const scope = scopeOf(reader, request, parseTimeRange(request, this.clock.nowMs()))
    const limit = request.sample_limit ?? 2000
    const rows = await this.rows(scope, (relation) => compilePayloadSample(scope, limit, relation), signal)
    return await payloadPaths(rows.map(([payload]) => textIn(payload)))
  }

  /**
   * @throws DomainError InvalidRequest for a reversed or too long range, or too many buckets;
   *   RequestCancelled
   */
  async aggregate(
    reader: ProjectReader,
    request: FeedbackAggregateRequest,
    signal: AbortSignal,
  ): Promise<FeedbackAggregate> {
    return await aggregateFeedback(this.store, reader, request, signal)
  }

  /** @throws DomainError InvalidRequest for an invalid range; RequestCancelled */
  async distributions(
    reader: ProjectReader,
    request: DistributionsRequest,
    signal: AbortSignal,
  ): Promise<FeedbackDistributions> {
    return await readDistributions({ store: this.store, clock: this.clock }, reader, request, signal)
  }

  private async rows(
    { projectId }: FeedbackScope,
    compile: (relation: Parameters<typeof compilePayloadSample>[2]) => Sql,
    signal: AbortSignal,
  ): Promise<Cell[][]> {
    return await this.store.read([feedbackTable.name], { projectId, signal }, async (snapshot) => {
      const sql = compile(snapshot.relation(feedbackTable.name))
      return await snapshot.rows(sql)
    })
  }
}

function scopeOf(
  { projectId }: ProjectReader,
  requested: { feedback_type?: string | null | undefined; trigger_ref?: string | null | undefined },
  { start, end }: TimeRange,
): FeedbackScope {
  const { feedback_type: type, trigger_ref: trigger } = requested
  const isPrefix = trigger?.endsWith(':*') === true
  const spelled = trigger ? allSpellings(isPrefix ? trigger.slice(0, -1) : trigger) : []
  return {
    projectId,
    start,
    end,
    type: type ? neutralFeedbackType(type) : undefined,
    trigger: trigger ? { refs: isPrefix ? [] : spelled, prefixes: isPrefix ? spelled : [] } : undefined,
  }
}

const usual = {
  numeric: ['avg', 'min', 'max'],
  boolean: ['count_true', 'count_false'],
  categorical: ['count'],
} as const satisfies Record<FeedbackStatistic['valueType'], readonly Aggregation[]>

function statisticsOf({ json_path, value_type: valueType = 'numeric', ...metric }: FeedbackMetric): NamedStatistic[] {
  const path = payloadPath(json_path)
  const slug = json_path.replaceAll(/[. ]/g, '_')
  const percentiles = valueType === 'numeric' ? (metric.percentiles ?? []) : []
  const wrong = percentiles.find((percentile) => percentile < 0 || percentile > 100)
  if (wrong !== undefined) throw invalid(`Percentiles must be from 0 to 100, not ${wrong}`)
  const requested: readonly Aggregation[] = metric.aggregations ?? []
  const aggregations = requested.length > 0 || percentiles.length > 0 ? requested : usual[valueType]
  return [
    ...aggregations.map((of) => ({ path, valueType, slug, of, name: of })),
    ...percentiles.map((of) => ({ path, valueType, slug, of, name: `p${of}` })),
  ]
}

function bySlug(
  statistics: readonly NamedStatistic[],
  cells: readonly Cell[],
): Record<string, Record<string, number | null>> {
  const found = new Map<string, [string, number | null][]>()
  statistics.forEach(({ slug, name }, index) => {
    found.set(slug, [...(found.get(slug) ?? []), [name, finiteOrNull(numberIn(cells[index]))]])
  })
  return Object.fromEntries([...found].map(([slug, entries]) => [slug, Object.fromEntries(entries)]))
}

const invalid = (what: string) => new DomainError('InvalidRequest', what)
