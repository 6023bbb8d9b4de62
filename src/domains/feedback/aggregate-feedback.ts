import type { Store } from '../../engine/store.ts'
import { feedbackTable } from '../../engine/tables/feedback-table.ts'
import { feedbackTypeParts } from '../../formats/dialect/feedback-type.ts'
import { allSpellings } from '../../formats/dialect/ref.ts'
import { DomainError, tooMany } from '../../lib/errors.ts'
import { bareRecord } from '../../lib/json-value.ts'
import { operationLimits } from '../../lib/limits/operations.ts'
import { itemAt } from '../../lib/present.ts'
import type { Cell } from '../../lib/table.ts'
import { numberIn, textIn } from '../../lib/typed-rows.ts'
import type { ProjectReader } from '../access/index.ts'
import type { FeedbackAggregate, FeedbackAggregateBucket, FeedbackAggregateRequest } from './model/feedback.ts'
import { type AggregateScope, compileScoredFeedback, type NamePatterns } from './sql/scored-feedback.ts'

const dayMs = 86_400_000
/** Prefix of built-in types as stored. */
const storedPrefix = 'ext'

/**
 * Counts tags and sums ratings of feedback by time and dimensions.
 *
 * @throws DomainError InvalidRequest for a reversed or too long range, or too many buckets
 */
export async function aggregateFeedback(
  store: Store,
  reader: ProjectReader,
  request: FeedbackAggregateRequest,
  signal: AbortSignal,
): Promise<FeedbackAggregate> {
  const { after_ms, before_ms } = request
  const bucketMs = request.time_bucket_seconds == null ? undefined : request.time_bucket_seconds * 1000
  const scope = scopeOf(reader, request)
  const dimensions = [...new Set(request.group_by ?? [])]
  checkRange(request, bucketMs, isRestricted(scope) || dimensions.length > 0)
  return await store.read([feedbackTable.name], { projectId: reader.projectId, signal }, async (snapshot) => {
    const relation = snapshot.relation(feedbackTable.name)
    const sql = compileScoredFeedback(scope, dimensions, bucketMs, relation)
    const sums = new Sums(dimensions)
    await snapshot.forEachChunk(sql, (columns) => sums.add(columns))
    return { time_bucket_seconds: request.time_bucket_seconds ?? null, after_ms, before_ms, buckets: sums.buckets() }
  })
}

class Sums {
  private readonly found = new Map<string, FeedbackAggregateBucket>()
  private readonly dimensions: readonly string[]

  constructor(dimensions: readonly string[]) {
    this.dimensions = dimensions
  }

  /** Adds rows by column: bucket, tags, ratings, dimensions, number of rows. */
  add([starts, tags, ratings, ...groups]: Cell[][]): void {
    const counts = groups.pop()
    for (const [row, start] of starts?.entries() ?? []) {
      const bucket = this.bucketOf(
        numberIn(start),
        groups.map((cells) => textIn(cells[row])),
      )
      const count = numberIn(counts?.[row]) ?? 0
      const rowTags = new Set<string>(JSON.parse(textIn(tags?.[row])))
      const rowRatings = Object.entries<number>(JSON.parse(textIn(ratings?.[row])))
      bucket.total_count += count
      if (rowTags.size + rowRatings.length > 0) bucket.scored_count += count
      for (const tag of rowTags) increase(bucket.tag_counts, tag, count)
      for (const [name, rating] of rowRatings) {
        increase(bucket.rating_counts, name, count)
        increase(bucket.rating_sums, name, rating * count)
      }
    }
  }

  /** Ordered by time, then by group. */
  buckets(): FeedbackAggregateBucket[] {
    return [...this.found.entries()]
      .sort(
        ([a, left], [b, right]) =>
          (left.time_bucket_start_ms ?? 0) - (right.time_bucket_start_ms ?? 0) || (a < b ? -1 : 1),
      )
      .map(([, bucket]) => bucket)
  }

  private bucketOf(start: number | null, names: readonly string[]): FeedbackAggregateBucket {
    const key = JSON.stringify([start, ...names])
    const known = this.found.get(key)
    if (known) return known
    if (this.found.size === operationLimits.aggregateBucketsMax) {
      throw new DomainError(
        'InvalidRequest',
        `Too many groups: at most ${operationLimits.aggregateBucketsMax} are allowed; use a shorter range ` +
          'or fewer dimensions',
      )
    }
    const bucket = {
      time_bucket_start_ms: start,
      group: Object.fromEntries(this.dimensions.map((dimension, index) => [dimension, itemAt(names, index)])),
      total_count: 0,
      scored_count: 0,
      // Without a prototype: a tag may be named "__proto__".
      tag_counts: bareRecord<number>(),
      rating_counts: bareRecord<number>(),
      rating_sums: bareRecord<number>(),
    }
    this.found.set(key, bucket)
    return bucket
  }
}

function increase(sums: Record<string, number>, name: string, by: number): void {
  sums[name] = (sums[name] ?? 0) + by
}

function scopeOf({ projectId }: ProjectReader, request: FeedbackAggregateRequest): AggregateScope {
  return {
    projectId,
    afterMs: request.after_ms,
    beforeMs: request.before_ms,
    typePrefixes: (request.feedback_types ?? []).flatMap((part) => feedbackTypeParts(part, storedPrefix)),
    tags: request.tags ?? [],
    ratingMin: request.rating_min ?? undefined,
    ratingMax: request.rating_max ?? undefined,
    monitors: patterns(request.monitor_ids ?? []),
    scorers: patterns(request.scorer_ids ?? []),
    agentNames: request.span_agent_names ?? [],
    spanTypes: request.span_types ?? [],
  }
}

function patterns(names: readonly string[]): NamePatterns {
  return {
    exact: names.filter((name) => !name.endsWith('*')).flatMap(allSpellings),
    prefixes: names.filter((name) => name.endsWith('*')).flatMap((name) => allSpellings(name.slice(0, -1))),
  }
}

function isRestricted(scope: AggregateScope): boolean {
  const lists = [scope.typePrefixes, scope.tags, scope.agentNames, scope.spanTypes]
  const named = [scope.monitors, scope.scorers].some(({ exact, prefixes }) => exact.length + prefixes.length > 0)
  return (
    named || lists.some((list) => list.length > 0) || scope.ratingMin !== undefined || scope.ratingMax !== undefined
  )
}

function checkRange(
  { after_ms, before_ms }: FeedbackAggregateRequest,
  bucketMs: number | undefined,
  isNarrowed: boolean,
): void {
  const refuse = (what: string) => {
    throw new DomainError('InvalidRequest', what)
  }
  if (before_ms < after_ms) refuse('`before_ms` is before `after_ms`')
  const isLong = before_ms - after_ms > operationLimits.statsRangeDaysMax * dayMs
  if (isLong && (isNarrowed || bucketMs !== undefined)) {
    refuse(
      `A range of more than ${operationLimits.statsRangeDaysMax} days is allowed only without filters, groups and ` +
        'time buckets',
    )
  }
  if (bucketMs === undefined) return
  const buckets = Math.ceil(before_ms / bucketMs) - Math.floor(after_ms / bucketMs)
  if (buckets > operationLimits.timeBucketsMax) refuse(tooMany('time buckets', buckets, operationLimits.timeBucketsMax))
}
