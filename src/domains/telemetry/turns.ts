import { telemetryLimits } from '../../lib/limits/telemetry.ts'
import { itemAt, valueAt } from '../../lib/present.ts'
import type { ProjectWriter } from '../access/index.ts'
import type { MovedCall } from '../calls/index.ts'

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
type OpenTurn = Map<string, TurnSpan>

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

/** A call of an export. */
export interface TurnCall {
  readonly writer: ProjectWriter
  readonly id: string
  readonly traceId: string
  readonly parentId: string | null
  readonly threadId: string | null
  readonly mayBeTurn: boolean
  /** Set by `mark` if the call is a turn by its place, or was taken for one before. */
  turnId?: string
}

/**
 * Determines the turns of conversations in one export. Instrumentations put the conversation id on
 * all spans; the topmost span with it is the turn, as far as this export and remembered ones show.
 */
export class Turns {
  private readonly openTurns: OpenTurns
  private readonly added: TurnCall[] = []
  private readonly moved: { readonly span: TurnSpan; readonly call: MovedCall }[] = []
  private hasCandidates = false

  constructor(openTurns: OpenTurns) {
    this.openTurns = openTurns
  }

  add(call: TurnCall): void {
    this.added.push(call)
    this.hasCandidates ||= call.mayBeTurn
  }

  /**
   * Sets `turnId` of the calls that are turns. @returns calls of earlier exports that turn out not
   * to be
   */
  mark(): readonly MovedCall[] {
    if (!this.hasCandidates && this.openTurns.isEmpty) return []
    const ofTraces = Map.groupBy(this.added, ({ writer, traceId }) => `${writer.projectId}\n${traceId}`)
    for (const [trace, added] of ofTraces) {
      if (this.openTurns.has(trace) || added.some(({ mayBeTurn }) => mayBeTurn)) this.markTrace(trace, added)
    }
    this.openTurns.shrink()
    return this.moved.map(({ call }) => call)
  }

  /** Confirms that the result of `mark` is stored. Until then it would be found again. */
  confirm(): void {
    for (const { span, call } of this.moved) span.turnId = call.turnId
  }

  private markTrace(trace: string, added: readonly TurnCall[]): void {
    const turn = this.openTurns.open(trace)
    const ids = new Set<string>()
    for (const { id, parentId, threadId, mayBeTurn } of added) {
      ids.add(id)
      this.openTurns.put(turn, id, {
        parentId,
        threadId,
        isByPlace: mayBeTurn,
        turnId: turn.get(id)?.turnId ?? null,
      })
    }
    const topOf = topFinder(turn)
    for (const call of added) settle(turn, call, topOf)
    for (const [id, span] of turn) {
      if (!span.isByPlace || span.turnId === null || ids.has(id)) continue
      const turnId = topOf(id)
      if (turnId !== span.turnId) this.moved.push({ span, call: { writer: itemAt(added, 0).writer, id, turnId } })
    }
  }
}

/** A call below a turn sets no turn, unless it was taken for one before. */
function settle(turn: OpenTurn, call: TurnCall, topOf: (id: string) => string): void {
  const { id } = call
  const span = valueAt(turn, id)
  if (!span.isByPlace) return
  const turnId = topOf(id)
  if (turnId !== id && span.turnId === null) return
  call.turnId = turnId
  span.turnId = turnId
}
