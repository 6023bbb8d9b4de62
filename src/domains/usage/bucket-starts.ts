import type { Snapshot } from '../../engine/reads/snapshot.ts'
import { operationLimits } from '../../lib/limits/operations.ts'
import { type Buckets, compileBucketStarts, compileZoneOffsets } from '../../query/sql/stats/time-buckets.ts'
import type { TimeRange } from '../records/index.ts'

/** A long bucket starts long before the range, so offsets within the range do not suffice. */
const isLong = ({ granularitySeconds }: TimeRange): boolean =>
  granularitySeconds > operationLimits.statsRangeDaysMax * 86_400

/** The UTC offsets of the time zone within the range, in seconds. */
export async function zoneOffsets(snapshot: Snapshot, range: TimeRange): Promise<number[]> {
  if (range.timezone === 'UTC') return [0]
  const from = isLong(range) ? { ...range, granularitySeconds: 0 } : range
  return (await snapshot.rows(compileZoneOffsets(range, from))).map(({ offset }) => offset)
}

/** The buckets of a range with these offsets from UTC. */
export const bucketsOf = (range: TimeRange, offsets: readonly number[]): Buckets => ({
  granularitySeconds: range.granularitySeconds,
  timezone: range.timezone,
  offsetSeconds: constantOffset(range, offsets),
})

/** The UTC offset of all buckets in seconds; undefined if it changes. */
const constantOffset = (range: TimeRange, offsets: readonly number[]): number | undefined =>
  range.timezone === 'UTC' ? 0 : offsets.length === 1 && !isLong(range) ? offsets[0] : undefined

/** The starts of all buckets that overlap a range, in order, in microseconds. */
export async function bucketStarts(
  snapshot: Pick<Snapshot, 'rows'>,
  range: { start: number; end: number },
  buckets: Buckets,
): Promise<number[]> {
  const { offsetSeconds, granularitySeconds } = buckets
  if (offsetSeconds === undefined)
    return (await snapshot.rows(compileBucketStarts(range, buckets))).map(({ start }) => start)
  const size = granularitySeconds * 1e6
  const startOf = (micros: number) => micros - ((((micros + offsetSeconds * 1e6) % size) + size) % size)
  const first = startOf(range.start)
  const count = range.start < range.end ? (startOf(range.end - 1) - first) / size + 1 : 0
  return Array.from({ length: count }, (_, index) => first + index * size)
}
