import type { StreamSnapshot } from '../../engine/reads/snapshot.ts'
import { limits } from '../../lib/limits.ts'
import type { CallsPlan, LineWindow, Relations } from '../../query/calls-plan.ts'
import { compileStats, compileWindows } from '../../query/compile.ts'
import { restrictToWindow } from '../../query/restrict-relation.ts'
import { isColumn } from '../../query/sort.ts'
import { pageWindows, planWithin, type WindowsInOrder } from './page-windows.ts'
import { isScattered, rowsOnPage } from './scattered-pages.ts'

/** A query in progress: what is read, and from where. */
export interface CallsRead {
  readonly snapshot: StreamSnapshot
  readonly plan: CallsPlan
  readonly relations: Relations
}

/** A batch of lines: an array of texts, or bytes. */
interface Sliceable<Self> {
  readonly length: number
  slice(from: number, to: number): Self
}

/** The lines of a plan, restricted to a time window if given. */
type LinesOf<Read, Some> = (read: Read, window?: LineWindow) => AsyncGenerator<Some>

/**
 * The lines of a read. Long results in time order are read window by window, so that DuckDB never
 * sorts more than one window of payload.
 */
export const linesInTime = <Read extends CallsRead, Some extends Sliceable<Some>>(
  read: Read,
  linesOf: LinesOf<Read, Some>,
): AsyncGenerator<Some> => {
  if (isLongStreamInTimeOrder(read.plan)) return linesByWindows(read, linesOf)
  const windows = pageWindows(read.plan, read.relations.calls)
  return windows === undefined ? linesInTwoSteps(read, linesOf) : linesOfPage(read, windows, linesOf)
}

/** The lines of a read; if its rows are scattered over many files, first which ones these are. */
async function* linesInTwoSteps<Read extends CallsRead, Some>(
  read: Read,
  linesOf: LinesOf<Read, Some>,
): AsyncGenerator<Some> {
  if (!isScattered(read.plan, read.relations)) {
    yield* linesOf(read)
    return
  }
  const found = await rowsOnPage(read.snapshot, read.plan, read.relations)
  if (found !== undefined) yield* linesOf({ ...read, ...found })
}

/** Whether the result may be long and its order follows `started_at`, by which files are sorted. */
function isLongStreamInTimeOrder({ sort, limit, offset }: CallsPlan): boolean {
  const isLong = limit === undefined || limit + offset > limits.pageRowsMax
  const [first, second] = sort
  return isLong && sort.length === 2 && isColumn(first!.field, 'started_at') && isColumn(second!.field, 'id')
}

async function* linesByWindows<Read extends CallsRead, Some extends Sliceable<Some>>(
  read: Read,
  linesOf: LinesOf<Read, Some>,
): AsyncGenerator<Some> {
  const { snapshot, plan, relations } = read
  const ends = await snapshot.rows(compileWindows(plan, relations, limits.streamWindowBytes))
  const bounds = ends.map(([end]) => end as number)
  const windows = bounds.map((through, index) => ({
    after: index === 0 ? undefined : bounds[index - 1],
    through,
    rows: ends[index]![1] as number,
  }))
  if (plan.sort[0]!.direction === 'desc') windows.reverse()
  let skip = plan.offset
  let left = plan.limit ?? Number.POSITIVE_INFINITY
  const unlimited = { ...plan, limit: undefined, offset: 0 }
  for (const { rows, ...times } of windows) {
    const calls = restrictToWindow(relations.calls, times)
    if (calls.branches.length === 0) continue
    const window = { ...times, isWhole: skip + left >= rows }
    for await (const lines of linesOf({ ...read, plan: unlimited, relations: { ...relations, calls } }, window)) {
      const wanted = lines.slice(skip, skip + left)
      skip = Math.max(0, skip - lines.length)
      left -= wanted.length
      if (wanted.length > 0) yield wanted
      if (left === 0) return
    }
  }
}

/** The lines of a page, window by window until it is full. */
async function* linesOfPage<Read extends CallsRead, Some extends Sliceable<Some>>(
  read: Read,
  windows: WindowsInOrder,
  linesOf: LinesOf<Read, Some>,
): AsyncGenerator<Some> {
  const { snapshot } = read
  let skip = read.plan.offset
  let left = read.plan.limit ?? Number.POSITIVE_INFINITY
  let found = 0
  for (;;) {
    const part = windows.next({ found, wanted: skip + left })
    if (part === undefined) return
    const plan = planWithin(read.plan, part.window)
    const relations = { ...read.relations, calls: part.relation }
    if (skip > 0) {
      const counted = { ...plan, limit: skip + left }
      const [row] = await snapshot.rows(compileStats(counted, relations, { totalStorageSize: false }))
      const rows = row![0] as number
      if (rows <= skip) {
        found += rows
        skip -= rows
        continue
      }
    }
    found += skip
    for await (const lines of linesInTwoSteps(
      { ...read, relations, plan: { ...plan, offset: skip, limit: left } },
      linesOf,
    )) {
      left -= lines.length
      found += lines.length
      yield lines
    }
    skip = 0
    if (left === 0) return
  }
}
