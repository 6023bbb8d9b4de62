import type { Relation } from '../../kernel/relation.ts'
import { limits } from '../../limits.ts'
import type { TimeWindow } from '../../query/calls-plan.ts'
import { compileStartHistogram } from '../../query/sql/start-histogram.ts'
import type { Snapshot } from '../../store/snapshot.ts'

/** Calls that start at the latest at `through`, in microseconds, and not in an older bucket. */
interface Bucket {
  readonly through: number
  readonly calls: number
}

/** Some calls of a project, in a window of time. */
export interface Stretch {
  readonly window: TimeWindow
  /** Calls that start in it, whether they match or not. */
  readonly calls: number
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
  private readonly buckets: readonly Bucket[]
  private readonly startedMs: number

  private constructor(buckets: readonly Bucket[], startedMs: number) {
    this.buckets = buckets
    this.startedMs = startedMs
  }

  /** @param through newest start of interest, in microseconds */
  static async of(
    snapshot: Snapshot,
    relation: Relation,
    projectId: string,
    through = Number.POSITIVE_INFINITY,
  ): Promise<RecentCalls> {
    const startedMs = performance.now()
    const rows = await snapshot.rows(compileStartHistogram(relation, projectId))
    const buckets = rows.map(([through, calls]) => ({ through: through as number, calls: calls as number }))
    // The bucket around `through` counts as a whole.
    const from = buckets.findLastIndex((bucket) => bucket.through >= through)
    return new RecentCalls(buckets.slice(Math.max(0, from)), startedMs)
  }

  /**
   * Passes windows to `read`, one after the other, until it returns false, all calls are read, or
   * the time is over.
   */
  async read(read: (stretch: Stretch) => Promise<boolean>): Promise<Coverage> {
    let next = 0
    let wanted: number = limits.explorationCallsFirst
    while (next < this.buckets.length) {
      const first = next
      let calls = 0
      while (next < this.buckets.length && (calls === 0 || calls + this.buckets[next]!.calls <= wanted)) {
        calls += this.buckets[next++]!.calls
      }
      const window = {
        after: this.buckets[next]?.through,
        through: first === 0 ? undefined : this.buckets[first]!.through,
      }
      const startedMs = performance.now()
      const goesOn = await read({ window, calls })
      if (!goesOn) return { isComplete: false, isOutOfTime: false }
      const nowMs = performance.now()
      const leftMs = this.startedMs + limits.explorationMs - nowMs
      if (leftMs <= 0 && next < this.buckets.length) return { isComplete: false, isOutOfTime: true }
      const fitting = (calls / Math.max(1, nowMs - startedMs)) * leftMs
      wanted = Math.max(limits.explorationCallsFirst, Math.min(calls * 8, fitting))
    }
    return { isComplete: true, isOutOfTime: false }
  }
}
