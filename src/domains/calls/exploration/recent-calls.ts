import type { Snapshot } from '../../../engine/reads/snapshot.ts'
import { explorationLimits } from '../../../lib/limits/exploration.ts'
import { itemAt } from '../../../lib/present.ts'
import type { Relation } from '../../../lib/relation.ts'
import { restrictToWindow, type TimeWindow } from '../../../query/calls-plan.ts'
import { type RelationWindow, WindowsInOrder } from '../page-windows.ts'
import { compileStartHistogram } from '../sql/exploration.ts'

/** Calls that start at the latest at `through`, in microseconds, and not in an older bucket. */
interface Bucket {
  readonly through: number
  readonly calls: number
}

/** Some calls of a project, in a window of time. */
export interface Stretch {
  readonly window: TimeWindow
  /** Where they are. */
  readonly relation: Relation
  /** Calls that start in it, whether they match or not. */
  readonly calls: number
}

/** Matches that a search has found, and how many more it wants. */
interface Found {
  readonly found: number
  readonly wanted: number
}

/** How a search through the calls ended. */
export interface Coverage {
  /** Every call was read. */
  readonly isComplete: boolean
  /** The time for the search was over before that. */
  readonly isOutOfTime: boolean
}

/**
 * The calls of a project in windows of time, the newest first, so that a search can answer within a
 * bounded time from what it has read by then. The windows grow as long as they are read quickly.
 */
export class RecentCalls {
  private readonly snapshot: Snapshot
  private readonly projectId: string
  private readonly isEmpty: boolean
  private readonly windows: WindowsInOrder
  private readonly through: number
  private readonly startedMs = performance.now()

  /** @param through newest start of interest, in microseconds */
  constructor(snapshot: Snapshot, relation: Relation, projectId: string, through = Number.POSITIVE_INFINITY) {
    this.snapshot = snapshot
    this.projectId = projectId
    this.through = through
    this.isEmpty = relation.isEmpty ?? false
    this.windows = new WindowsInOrder(relation, 'desc')
  }

  /**
   * Passes windows to `read`, one after the other, until all calls are read, the time is over, or
   * it has found what it wants. It returns how many matches it has found so far, and how many more
   * it wants.
   */
  async read(read: (stretch: Stretch) => Promise<Found>): Promise<Coverage> {
    if (this.isEmpty) return { isComplete: true, isOutOfTime: false }
    let wanted: number = explorationLimits.explorationCallsFirst
    let found: Found = { found: 0, wanted: Number.POSITIVE_INFINITY }
    for (;;) {
      const part = this.windows.next(found)
      if (part === undefined) return { isComplete: true, isOutOfTime: false }
      if ((part.window.after ?? Number.NEGATIVE_INFINITY) >= this.through) continue
      const buckets = await this.bucketsIn(part)
      for (let next = 0; next < buckets.length; ) {
        const first = next
        let calls = 0
        while (next < buckets.length && (calls === 0 || calls + itemAt(buckets, next).calls <= wanted)) {
          calls += itemAt(buckets, next++).calls
        }
        const window = {
          after: buckets[next]?.through ?? part.window.after,
          through: first === 0 ? part.window.through : itemAt(buckets, first).through,
        }
        const startedMs = performance.now()
        found = await read({ window, relation: restrictToWindow(part.relation, window), calls })
        if (found.wanted <= 0) return { isComplete: false, isOutOfTime: false }
        const nowMs = performance.now()
        const leftMs = this.startedMs + explorationLimits.explorationMs - nowMs
        const isLast = next === buckets.length && this.windows.areDone
        if (leftMs <= 0 && !isLast) return { isComplete: false, isOutOfTime: true }
        const fitting = (calls / Math.max(1, nowMs - startedMs)) * leftMs
        wanted = Math.max(explorationLimits.explorationCallsFirst, Math.min(calls * 8, fitting))
      }
    }
  }

  /** Calls by the time of their start, the newest first. */
  private async bucketsIn(part: RelationWindow): Promise<readonly Bucket[]> {
    const buckets = await this.snapshot.rows(compileStartHistogram(part.relation, this.projectId, part.window))
    // The bucket around `through` counts as a whole.
    return buckets.slice(
      Math.max(
        0,
        buckets.findLastIndex(({ through }) => through >= this.through),
      ),
    )
  }
}
