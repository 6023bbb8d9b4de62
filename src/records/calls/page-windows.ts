import type { Relation, TimeBounds } from '../../kernel/relation.ts'
import { limits } from '../../limits.ts'
import type { CallsPlan, Relations, TimeWindow } from '../../query/calls-plan.ts'
import { columnField } from '../../query/catalog.ts'
import { all } from '../../query/expression.ts'
import { fileTimes, restrictToWindow } from '../../query/restrict-relation.ts'
import { isColumn } from '../../query/sort.ts'

/** A part of a page's order, and where its rows are. */
export interface PageWindow {
  readonly window: TimeWindow
  readonly relations: Relations
}

/** The part of a relation that may hold rows within a window. */
export interface RelationWindow {
  readonly window: TimeWindow
  readonly relation: Relation
}

/** Files of the first window; each further one reaches over this many times as many files. */
const growth = 4

/**
 * Divides a page in time order into windows, so that files far from the beginning of the order are
 * opened only if the files near it have too few rows. Undefined if that is of no use.
 */
export function pageWindows(plan: CallsPlan, relations: Relations): PageWindow[] | undefined {
  const { sort, limit, offset } = plan
  const [first] = sort
  if (limit === undefined || limit + offset > limits.pageRowsMax) return undefined
  if (first === undefined || !isColumn(first.field, 'started_at')) return undefined
  const times = timesToDivide(relations.calls)
  if (times === undefined) return undefined
  const windows = first.direction === 'desc' ? newestFirst(times) : oldestFirst(times)
  return partsOf(relations.calls, windows).map(({ window, relation }) => ({
    window,
    relations: { ...relations, calls: relation },
  }))
}

/** Divides all rows of a relation in the same way, the newest first. */
export function windowsOfNewest(relation: Relation): RelationWindow[] {
  const times = timesToDivide(relation)
  return times === undefined
    ? [{ window: { after: undefined, through: undefined }, relation }]
    : partsOf(relation, newestFirst(times))
}

/** The times of all files; undefined if dividing so few of them is of no use. */
function timesToDivide(relation: Relation): readonly TimeBounds[] | undefined {
  const times = fileTimes(relation)
  return times === undefined || times.length <= growth ? undefined : times
}

const partsOf = (relation: Relation, windows: readonly TimeWindow[]): RelationWindow[] =>
  windows.flatMap((window) => {
    const part = restrictToWindow(relation, window)
    return part.branches.length === 0 ? [] : [{ window, relation: part }]
  })

function newestFirst(times: readonly TimeBounds[]): TimeWindow[] {
  const ends = times.map(([, to]) => to).sort((a, b) => b - a)
  const windows: TimeWindow[] = []
  let through: number | undefined
  for (let files = 1; files < ends.length; files *= growth) {
    const after = ends[files]!
    if (!Number.isFinite(after) || (through !== undefined && after >= through)) continue
    windows.push({ after, through })
    through = after
  }
  return [...windows, { after: undefined, through }]
}

function oldestFirst(times: readonly TimeBounds[]): TimeWindow[] {
  const starts = times.map(([from]) => from).sort((a, b) => a - b)
  const windows: TimeWindow[] = []
  let after: number | undefined
  for (let files = 1; files < starts.length; files *= growth) {
    const through = starts[files]! - 1
    if (!Number.isFinite(through) || (after !== undefined && through <= after)) continue
    windows.push({ after, through })
    after = through
  }
  return [...windows, { after, through: undefined }]
}

const startedAt = columnField('started_at', 'time')

/** The plan of a page whose rows are all within a window. */
export const planWithin = (plan: CallsPlan, window: TimeWindow): CallsPlan => ({
  ...plan,
  where: all([plan.where, { kind: 'within', field: startedAt, ...window }]),
})
