import type { ProjectWriter } from '../../foundation/access/caller.ts'
import type { Row } from '../../kernel/table.ts'
import { callsTable } from '../../tables/calls-table.ts'
import { type OpenTurn, type OpenTurns, type TurnSpan, topFinder } from './open-turns.ts'

const { at } = callsTable

interface Added {
  readonly row: Row
  readonly writer: ProjectWriter
  readonly mayBeTurn: boolean
}

/** A call of an earlier export that was taken for a turn, and the turn it belongs to. */
export interface MovedCall {
  readonly writer: ProjectWriter
  readonly id: string
  readonly turnId: string
}

/**
 * Determines the turns of conversations in one export. Instrumentations put the conversation id on
 * all spans; the topmost span with it is the turn, as far as this export and remembered ones show.
 */
export class Turns {
  private readonly openTurns: OpenTurns
  private readonly added: Added[] = []
  private readonly moved: { readonly span: TurnSpan; readonly call: MovedCall }[] = []
  private hasCandidates = false

  constructor(openTurns: OpenTurns) {
    this.openTurns = openTurns
  }

  add(row: Row, writer: ProjectWriter, mayBeTurn: boolean): void {
    this.added.push({ row, writer, mayBeTurn })
    this.hasCandidates ||= mayBeTurn
  }

  /**
   * Sets `turn_id` of the rows that are turns. @returns calls of earlier exports that turn out not
   * to be
   */
  mark(): readonly MovedCall[] {
    if (!this.hasCandidates && this.openTurns.isEmpty) return []
    const ofTraces = Map.groupBy(this.added, ({ row }) => `${row[at.project_id]}\n${row[at.trace_id]}`)
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

  private markTrace(trace: string, added: readonly Added[]): void {
    const turn = this.openTurns.open(trace)
    const ids = new Set<string>()
    for (const { row, mayBeTurn } of added) {
      const id = row[at.id] as string
      ids.add(id)
      this.openTurns.put(turn, id, {
        parentId: row[at.parent_id] as string | null,
        threadId: row[at.thread_id] as string | null,
        isByPlace: mayBeTurn,
        turnId: turn.get(id)?.turnId ?? null,
      })
    }
    const topOf = topFinder(turn)
    for (const { row } of added) settle(turn, row, topOf)
    for (const [id, span] of turn) {
      if (!span.isByPlace || span.turnId === null || ids.has(id)) continue
      const turnId = topOf(id)
      if (turnId !== span.turnId) this.moved.push({ span, call: { writer: added[0]!.writer, id, turnId } })
    }
  }
}

/** A call below a turn sets no turn, unless it was taken for one before. */
function settle(turn: OpenTurn, row: Row, topOf: (id: string) => string): void {
  const id = row[at.id] as string
  const span = turn.get(id)!
  if (!span.isByPlace) return
  const turnId = topOf(id)
  if (turnId !== id && span.turnId === null) return
  row[at.turn_id] = turnId
  span.turnId = turnId
}
