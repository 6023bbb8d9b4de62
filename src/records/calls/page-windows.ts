import type { TimeBounds } from '../../kernel/relation.ts'
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
  const times = fileTimes(relations.calls)
  if (times === undefined || times.length <= growth) return undefined
  const windows = first.direction === 'desc' ? newestFirst(times) : oldestFirst(times)
  return windows.flatMap((window) => {
    const calls = restrictToWindow(relations.calls, window)
    return calls.branches.length === 0 ? [] : [{ window, relations: { ...relations, calls } }]
  })
}

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
