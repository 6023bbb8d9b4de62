import { DomainError, quoted } from '../../lib/errors.ts'
import { parseTime } from '../../lib/time.ts'
import type { AgentSpan } from './agent-span.ts'
import { type Counted, measuring } from './group-measures.ts'
import type { GroupFilter, GroupRef } from './model/agent-filters.ts'
import { grouped, groupKeysOf } from './span-groups.ts'
import type { Scalar } from './span-values.ts'

type Bound = GroupFilter['min']

/**
 * The spans whose groups are in all ranges. Every filter measures the groups of all spans: those
 * that it names, else those of the request.
 *
 * @throws DomainError InvalidField; InvalidRequest for a range without bounds, or with bounds that
 *   do not fit each other
 */
export function inGroupRanges(
  spans: readonly AgentSpan[],
  filters: readonly GroupFilter[],
  groupBy: readonly GroupRef[],
  counted: Counted,
): AgentSpan[] {
  const within = filters.map((filter) => {
    const range = rangeOf(filter)
    const keys = groupKeysOf(filter.group_by?.length ? filter.group_by : groupBy)
    const statisticOf = measuring(filter.measure, counted)
    const groups = grouped(spans, keys).filter((group) => isWithin(statisticOf(group.spans), range))
    return new Set(groups.flatMap((group) => group.spans))
  })
  return spans.filter((span) => within.every((some) => some.has(span)))
}

/** From `min` through `max`: numbers, or times in microseconds. */
interface Range {
  readonly isOfTimes: boolean
  readonly min: number
  readonly max: number
}

function rangeOf({ min, max, measure }: GroupFilter): Range {
  const invalid = (what: string) =>
    new DomainError('InvalidRequest', `Invalid group filter ${quoted(measure.alias)}: ${what}`)
  if (min == null && max == null) throw invalid('set `min`, `max` or both')
  const placeOf = (bound: Bound, otherwise: number): number => {
    const place = typeof bound === 'string' ? parseTime(bound) : (bound ?? otherwise)
    if (place === undefined) throw invalid(`${quoted(String(bound))} is not a time`)
    return place
  }
  const range = {
    isOfTimes: typeof (min ?? max) === 'string',
    min: placeOf(min, Number.NEGATIVE_INFINITY),
    max: placeOf(max, Number.POSITIVE_INFINITY),
  }
  if (min != null && max != null && typeof min !== typeof max) {
    throw invalid('`min` and `max` must both be numbers or both be times')
  }
  if (range.min > range.max) throw invalid('`max` must not be less than `min`')
  return range
}

/** A group without the statistic is in no range. */
function isWithin(statistic: Scalar, { isOfTimes, min, max }: Range): boolean {
  const place = !isOfTimes ? statistic : typeof statistic === 'string' ? parseTime(statistic) : undefined
  return typeof place === 'number' && place >= min && place <= max
}
