import { limits } from '../../limits.ts'

/** What is remembered of a span to tell which turn of a conversation it belongs to. */
export interface TrailSpan {
  readonly parentId: string | null
  readonly threadId: string | null
  /** Its place decides whether it is a turn; nobody said so. */
  readonly isByPlace: boolean
  /** What is stored as the turn of the call; null where that is nothing. */
  turnId: string | null
}

/** Spans of one trace of one project, by id. */
export type Trail = Map<string, TrailSpan>

/**
 * The latest traces that hold conversations. Exporters send spans as they end, the inner ones first and often in requests of their own,
 * so which of them is a turn may turn out later.
 */
export class TurnTrails {
  /** The one that grew last is last. */
  private readonly trails = new Map<string, Trail>()
  private spans = 0

  get isEmpty(): boolean {
    return this.trails.size === 0
  }

  has(trace: string): boolean {
    return this.trails.has(trace)
  }

  /** The spans of a trace, which counts as the latest from now on. */
  open(trace: string): Trail {
    const trail = this.trails.get(trace) ?? new Map()
    this.trails.delete(trace)
    this.trails.set(trace, trail)
    return trail
  }

  put(trail: Trail, id: string, span: TrailSpan): void {
    if (!trail.has(id)) this.spans++
    trail.set(id, span)
  }

  /** Forgets the oldest traces where there are too many spans. */
  shrink(): void {
    for (const [trace, trail] of this.trails) {
      if (this.spans <= limits.trailSpansMax) return
      this.trails.delete(trace)
      this.spans -= trail.size
    }
  }
}

/** Finds the topmost span above one, or itself, that belongs to the same thread; for as long as the trail stays as it is. */
export function topFinder(trail: Trail): (id: string) => string {
  // Without it every span of a long chain would climb all of it.
  const tops = new Map<string, string>()
  return (id) => {
    const threadId = trail.get(id)?.threadId
    const climbed = [id]
    let top = id
    let above = trail.get(id)?.parentId ?? null
    // The bound also ends circles.
    for (let level = 0; above !== null && level < limits.turnLevelsMax; level++) {
      const span = trail.get(above)
      if (span?.threadId === threadId) {
        top = tops.get(above) ?? above
        if (tops.has(above)) break
        climbed.push(above)
      }
      above = span?.parentId ?? null
    }
    for (const below of climbed) tops.set(below, top)
    return top
  }
}
