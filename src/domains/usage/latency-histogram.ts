import type { Snapshot } from '../../engine/reads/snapshot.ts'
import { operationLimits } from '../../lib/limits/operations.ts'
import { itemAt, valueAt } from '../../lib/present.ts'
import type { Relation } from '../../lib/relation.ts'
import { formatTime } from '../../lib/time.ts'
import type { Buckets } from '../../query/sql/stats/time-buckets.ts'
import { checkAnswerSize } from '../records/index.ts'
import type { CallStats } from './model/call-stats.ts'
import { type CallStatsScope, compileLatencyBounds, compileLatencyRanges } from './sql/call-statistics.ts'
import type { RolledUpRequest } from './sql/rolled-up-rows.ts'
import { compileRolledUpBounds, compileRolledUpRanges } from './sql/rolled-up-statistics.ts'

interface HistogramRead {
  readonly snapshot: Snapshot
  readonly relation: Relation
  readonly scope: CallStatsScope
  readonly buckets: Buckets
  readonly rolledUp: RolledUpRequest | undefined
}

/** How many calls of each time bucket have a latency in each range. */
export async function latencyHistogram(
  { snapshot, relation, scope, buckets, rolledUp }: HistogramRead,
  series: readonly number[],
  ranges: number | null | undefined,
): Promise<NonNullable<CallStats['histogram']>> {
  // Not divided by group.
  const sums = rolledUp && { ...rolledUp, groups: undefined }
  const found = await snapshot.rows(sums ? compileRolledUpBounds(sums) : compileLatencyBounds(scope, relation))
  const { low, high } = itemAt(found, 0)
  const count = ranges ?? operationLimits.statsRangesDefault
  const bounds = low === null || high === null ? [] : boundsOf(low, high, count)
  checkAnswerSize(series.length, Math.max(0, bounds.length - 1))
  const counts = new Map(series.map((bucket) => [bucket, new Array<number>(Math.max(0, bounds.length - 1)).fill(0)]))
  if (bounds.length > 0) {
    const rows = await snapshot.rows(
      sums ? compileRolledUpRanges(sums, bounds) : compileLatencyRanges(scope, buckets, relation, bounds),
    )
    for (const { bucket, range, calls } of rows) valueAt(counts, bucket)[range] = calls
  }
  return {
    metric: 'latency_ms',
    bounds,
    buckets: series.map((bucket) => ({ timestamp: formatTime(bucket), counts: valueAt(counts, bucket) })),
  }
}

/**
 * Whole milliseconds from `low` to `high`, each a constant factor above the one before. Latencies
 * are whole too, so ranges that would be narrower than one are merged.
 */
function boundsOf(low: number, high: number, ranges: number): number[] {
  const from = Math.max(1, low)
  const factor = (Math.max(from, high) / from) ** (1 / ranges)
  const inner = Array.from({ length: ranges - 1 }, (_, at) => Math.round(from * factor ** (at + 1)))
  const ascending = [...new Set([low, ...inner])].filter((bound) => bound === low || (bound > low && bound < high))
  return [...ascending, high]
}
