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
  const kept = filters.map((filter) => {
    checkRange(filter)
    const keys = groupKeysOf(filter.group_by?.length ? filter.group_by : groupBy)
    const figureOf = measuring(filter.measure, counted)
    const groups = grouped(spans, keys).filter((group) => isWithin(figureOf(group.spans), filter))
    return new Set(groups.flatMap((group) => group.spans))
  })
  return spans.filter((span) => kept.every((some) => some.has(span)))
}

function checkRange({ min, max, measure }: GroupFilter): void {
  const invalid = (what: string) =>
    new DomainError('InvalidRequest', `Invalid group filter ${quoted(measure.alias)}: ${what}`)
  if (min == null && max == null) throw invalid('set `min`, `max` or both')
  for (const bound of [min, max]) {
    if (typeof bound === 'string' && parseTime(bound) === undefined) throw invalid(`${quoted(bound)} is no time`)
  }
  if (min == null || max == null) return
  if (typeof min !== typeof max) throw invalid('`min` and `max` must both be numbers or both be times')
  if (placeOf(min)! > placeOf(max)!) throw invalid('`max` must not be less than `min`')
}

/** Both bounds belong to the range. A group without a figure is in none. */
function isWithin(figure: Scalar, { min, max }: GroupFilter): boolean {
  const isTimes = typeof (min ?? max) === 'string'
  const place = isTimes ? (typeof figure === 'string' ? parseTime(figure) : undefined) : figure
  if (typeof place !== 'number') return false
  return (min == null || place >= placeOf(min)!) && (max == null || place <= placeOf(max)!)
}

/** A number, or a time in microseconds. */
const placeOf = (bound: Bound): number | undefined =>
  typeof bound === 'string' ? parseTime(bound) : (bound ?? undefined)
