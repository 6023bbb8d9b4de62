import { itemAt, present } from '../../lib/present.ts'
import type { Cell } from '../../lib/table.ts'
import { formatTime } from '../../lib/time.ts'
import { numberIn } from '../../lib/typed-rows.ts'
import { checkAnswerSize, finiteOrNull } from '../records/index.ts'
import { groupMembers, placesOf } from './groups.ts'
import type { Statistic, StatsRow } from './model/call-stats.ts'
import type { CallGroups, MetricStatistics } from './sql/call-statistics.ts'
import type { UsageStatistics } from './usage-from-texts.ts'

/** The starts of the buckets of an answer; undefined if it is about the whole range. */
export type Series = readonly number[] | undefined

/** The name of the only bucket of the whole range. */
const whole = [0]

const timeOf = (series: Series, bucket: number) => (series === undefined ? {} : { timestamp: formatTime(bucket) })

export const statisticCount = (metrics: readonly MetricStatistics<string>[]): number =>
  metrics.reduce((sum, { statistics }) => sum + statistics.length, 0)

/**
 * All buckets with all groups that occur.
 *
 * @param rows start of the bucket, place of the group, number of values, and the statistics
 * @throws DomainError InvalidRequest for too many of them
 */
export function bucketRows(
  series: Series,
  metrics: readonly MetricStatistics<string>[],
  rows: readonly (readonly Cell[])[],
  groups: CallGroups | undefined,
): StatsRow[] {
  const starts = series ?? whole
  const places = placesOf(
    rows.map(([, place]) => present(numberIn(place), 'The place of a group')),
    groups,
  )
  checkAnswerSize(starts.length, statisticCount(metrics), places.length)
  const found = new Map(
    rows.map(([bucket, place, ...statistics]) => [`${bucket} ${place}`, statistics.map(numberIn)] as const),
  )
  return starts.flatMap((bucket) =>
    places.map((place) => ({
      ...timeOf(series, bucket),
      ...groupMembers(place, groups),
      ...named(metrics, found.get(`${bucket} ${place}`)),
    })),
  )
}

/**
 * All buckets with all models and groups that have usage in any of them. @throws DomainError
 * InvalidRequest for too many of them
 */
export function usageRows(
  series: Series,
  metrics: readonly MetricStatistics<string>[],
  usage: readonly UsageStatistics[],
  groups: CallGroups | undefined,
): StatsRow[] {
  const starts = series ?? whole
  const kinds = new Map(usage.map(({ model, place }) => [`${place} ${model}`, { model, place }]))
  const order = placesOf(
    usage.map(({ place }) => place),
    groups,
  )
  const sorted = [...kinds.values()].sort(
    (a, b) => order.indexOf(a.place) - order.indexOf(b.place) || (a.model < b.model ? -1 : 1),
  )
  checkAnswerSize(starts.length, statisticCount(metrics), sorted.length)
  const found = new Map(
    usage.map(({ bucket, place, model, statistics }) => [`${bucket} ${place} ${model}`, statistics]),
  )
  return starts.flatMap((bucket) =>
    sorted.map(({ place, model }) => ({
      ...timeOf(series, bucket),
      ...groupMembers(place, groups),
      model,
      ...named(metrics, found.get(`${bucket} ${place} ${model}`)),
    })),
  )
}

/**
 * Names the values (number of calls, then those of the metrics in order); for no calls if there are
 * none.
 */
function named(
  metrics: readonly MetricStatistics<string>[],
  statistics: readonly (number | null)[] | undefined,
): Record<string, number | null> {
  const names = metrics.flatMap(({ metric, statistics }) => statistics.map((statistic) => ({ metric, statistic })))
  const entries = names.map(
    ({ metric, statistic }, index) =>
      [
        `${statistic.name}_${metric}`,
        statistics ? finiteOrNull(itemAt(statistics, index + 1)) : ofNone(statistic),
      ] as const,
  )
  return { ...Object.fromEntries(entries), count: statistics?.[0] ?? 0 }
}

const ofNone = ({ of }: Statistic): number | null => (typeof of === 'number' || of === 'min' || of === 'max' ? null : 0)
