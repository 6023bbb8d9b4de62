import { telemetryLimits } from '../../lib/limits/telemetry.ts'

/** The members of a span that determine its turn in a conversation. */
export interface TurnSpan {
  readonly parentId: string | null
  readonly threadId: string | null
  /** Whether it is a turn depends on its position; it is not marked explicitly. */
  readonly isByPlace: boolean
  /** The stored turn of the call, if any. */
  turnId: string | null
}

/** Spans of one trace of one project, by id. */
export type OpenTurn = Map<string, TurnSpan>

/**
 * Recent traces that contain conversations. Exporters send spans as they end, inner ones first and
 * often in separate requests, so which of them is a turn may turn out later.
 */
export class OpenTurns {
  /** Most recently extended last. */
  private readonly openTurns = new Map<string, OpenTurn>()
  private spans = 0

  get isEmpty(): boolean {
    return this.openTurns.size === 0
  }

  has(trace: string): boolean {
    return this.openTurns.has(trace)
  }

  /** The spans of a trace, which becomes the most recent one. */
  open(trace: string): OpenTurn {
    const turn = this.openTurns.get(trace) ?? new Map()
    this.openTurns.delete(trace)
    this.openTurns.set(trace, turn)
    return turn
  }

  put(turn: OpenTurn, id: string, span: TurnSpan): void {
    if (!turn.has(id)) this.spans++
    turn.set(id, span)
  }

  /** Evicts the oldest traces if there are too many spans. */
  shrink(): void {
    for (const [trace, turn] of this.openTurns) {
      if (this.spans <= telemetryLimits.turnSpansMax) return
      this.openTurns.delete(trace)
      this.spans -= turn.size
    }
  }
}

/**
 * Finds the topmost ancestor of a span (or the span itself) in the same thread; valid while the
 * turn does not change.
 */
export function topFinder(turn: OpenTurn): (id: string) => string {
  // Memoized: otherwise every span of a long chain would climb all of it.
  const tops = new Map<string, string>()
  return (id) => {
    const threadId = turn.get(id)?.threadId
    const climbed = [id]
    let top = id
    let above = turn.get(id)?.parentId ?? null
    // The limit also ends cycles.
    for (let level = 0; above !== null && level < telemetryLimits.turnLevelsMax; level++) {
      const span = turn.get(above)
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
