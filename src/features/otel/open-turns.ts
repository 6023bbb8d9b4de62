import { limits } from '../../limits.ts'

/** What is remembered of a span to tell which turn of a conversation it belongs to. */
export interface TurnSpan {
  readonly parentId: string | null
  readonly threadId: string | null
  /** Its place decides whether it is a turn; nobody said so. */
  readonly isByPlace: boolean
  /** What is stored as the turn of the call; null where that is nothing. */
  turnId: string | null
}

/** Spans of one trace of one project, by id. */
export type OpenTurn = Map<string, TurnSpan>

/**
 * The latest traces that hold conversations. Exporters send spans as they end, the inner ones first and often in requests of their own,
 * so which of them is a turn may turn out later.
 */
export class OpenTurns {
  /** The one that grew last is last. */
  private readonly openTurns = new Map<string, OpenTurn>()
  private spans = 0

  get isEmpty(): boolean {
    return this.openTurns.size === 0
  }

  has(trace: string): boolean {
    return this.openTurns.has(trace)
  }

  /** The spans of a trace, which counts as the latest from now on. */
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

  /** Forgets the oldest traces where there are too many spans. */
  shrink(): void {
    for (const [trace, turn] of this.openTurns) {
      if (this.spans <= limits.turnSpansMax) return
      this.openTurns.delete(trace)
      this.spans -= turn.size
    }
  }
}

/** Finds the topmost span above one, or itself, that belongs to the same thread; for as long as the turn stays as it is. */
export function topFinder(turn: OpenTurn): (id: string) => string {
  // Without it every span of a long chain would climb all of it.
  const tops = new Map<string, string>()
  return (id) => {
    const threadId = turn.get(id)?.threadId
    const climbed = [id]
    let top = id
    let above = turn.get(id)?.parentId ?? null
    // The bound also ends circles.
    for (let level = 0; above !== null && level < limits.turnLevelsMax; level++) {
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
