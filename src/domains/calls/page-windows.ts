import { responseLimits } from '../../lib/limits/responses.ts'
import { itemAt } from '../../lib/present.ts'
import type { Relation } from '../../lib/relation.ts'
import { justBefore } from '../../lib/time.ts'
import { type CallsPlan, fileTimes, restrictToWindow, type TimeWindow } from '../../query/calls-plan.ts'
import { isColumn } from '../../query/sort.ts'

/** A part of a time order, and where its rows are. */
export interface RelationWindow {
  readonly window: TimeWindow
  readonly relation: Relation
}

/** Without any match so far, the next window has this many times as many files. */
const growth = 3
/** Files of the first window: an index that names some of their rows hardly ever errs. */
const firstFiles = { all: 1, indexed: 4 } as const
/** Fewer files are not worth dividing. */
const dividedFilesMin = 5

/**
 * Divides the rows of a relation into windows of time, so that files far from the beginning of the
 * order are opened only if the files near it have too few of the wanted rows.
 */
export class WindowsInOrder {
  private readonly relation: Relation
  private readonly isNewestFirst: boolean
  /** Where files begin in the order, for each scan of a file. */
  private readonly starts: readonly number[]
  /** Where the first window ends, if it has only recent rows in memory. */
  private recentSince: number | undefined
  private last: number
  private read = 0
  private edge: number | undefined
  private isDone = false

  constructor(relation: Relation, direction: 'asc' | 'desc') {
    this.relation = relation
    this.isNewestFirst = direction === 'desc'
    const times = fileTimes(relation) ?? []
    const inOrder = this.isNewestFirst
      ? times.map(([, to]) => to).sort((a, b) => b - a)
      : times.map(([from]) => from).sort((a, b) => a - b)
    this.starts = inOrder.length < dividedFilesMin ? [] : inOrder
    const isIndexed = relation.branches.some(({ source }) => source.kind === 'files' && source.rowRanges !== undefined)
    const first = isIndexed ? firstFiles.indexed : firstFiles.all
    this.last = first / growth
    const since = this.isNewestFirst ? recentSince(relation) : undefined
    // The rows in memory may be older than those in files, as while old calls are imported.
    const newerFiles = times.filter(([, to]) => to > (since ?? Infinity)).length
    this.recentSince = newerFiles > first ? undefined : since
  }

  /** Whether there is more than one window. */
  get areSeveral(): boolean {
    return this.starts.length > 0 || this.recentSince !== undefined
  }

  /** Whether all windows have been returned. */
  get areDone(): boolean {
    return this.isDone
  }

  /** The next window; its size follows from the number of rows in the previous ones. */
  next({ found, wanted }: { readonly found: number; readonly wanted: number }): RelationWindow | undefined {
    while (!this.isDone) {
      const window = this.nextWindow(found, wanted)
      const relation = restrictToWindow(this.relation, window)
      if (relation.branches.length > 0) return { window, relation }
    }
    return undefined
  }

  private nextWindow(found: number, wanted: number): TimeWindow {
    if (this.recentSince !== undefined) {
      this.edge = this.recentSince
      this.recentSince = undefined
      return { after: this.edge, through: undefined }
    }
    // Rows in memory say nothing about those in files.
    const isUnknown = found === 0 || this.read === 0
    const expected = isUnknown ? Number.POSITIVE_INFINITY : (this.read / found) * wanted * 1.2
    this.last = Math.ceil(isUnknown ? this.last * growth : Math.min(expected, Math.max(1, this.read) * 16))
    this.read += this.last
    const before = this.edge
    // Files that begin at the same time are read together.
    while (this.read < this.starts.length && !this.isBehind(itemAt(this.starts, this.read), before)) this.read++
    const edge = this.starts[this.read]
    if (edge === undefined) {
      this.isDone = true
      return this.isNewestFirst ? { after: undefined, through: before } : { after: before, through: undefined }
    }
    this.edge = this.isNewestFirst ? edge : justBefore(edge)
    return this.isNewestFirst ? { after: edge, through: before } : { after: before, through: justBefore(edge) }
  }

  private isBehind(start: number, edge: number | undefined): boolean {
    if (!Number.isFinite(start)) return false
    if (this.isNewestFirst) return edge === undefined || start < edge
    return edge === undefined || justBefore(start) > edge
  }
}

/**
 * A time after which some thousands of rows in memory are: most newest pages are among them, so the
 * many others need not be read. Undefined if memory has too few rows.
 */
export function recentSince(relation: Relation): number | undefined {
  // Rows without a time would be in no window.
  if (fileTimes(relation)?.every((times) => times.every(Number.isFinite)) !== true) return undefined
  const times = relation.branches.flatMap(({ source }) => (source.kind === 'table' ? (source.recentSince ?? []) : []))
  return times.length === 0 ? undefined : Math.max(...times)
}

/** The windows of a page in time order; undefined if dividing it is of no use. */
export function pageWindows({ sort, limit, offset }: CallsPlan, calls: Relation): WindowsInOrder | undefined {
  const [first] = sort
  if (limit === undefined || limit + offset > responseLimits.pageRowsMax) return undefined
  if (first === undefined || !isColumn(first.field, 'started_at')) return undefined
  const windows = new WindowsInOrder(calls, first.direction)
  return windows.areSeveral ? windows : undefined
}
