import type { Row } from '../../model/table.ts'
import { at } from '../calls/calls-table.ts'

const cells = {
  id: at['id']!,
  projectId: at['project_id']!,
  traceId: at['trace_id']!,
  parentId: at['parent_id']!,
  threadId: at['thread_id']!,
  turnId: at['turn_id']!,
}

/**
 * Finds the turns of conversations in one export. Instrumentations put the id of a conversation on every span they make of it; the
 * topmost span that has it is the turn, as far as the export goes.
 */
export class Turns {
  private readonly rows = new Map<string, Row>()
  private readonly candidates: Row[] = []

  add(row: Row, mayBeTurn: boolean): void {
    this.rows.set(key(row, row[cells.id] as string), row)
    if (mayBeTurn) this.candidates.push(row)
  }

  /** Sets `turn_id` of the rows that are turns. */
  mark(): void {
    for (const row of this.candidates) {
      if (!this.hasThreadAbove(row)) row[cells.turnId] = row[cells.id]!
    }
  }

  private hasThreadAbove(row: Row): boolean {
    const threadId = row[cells.threadId]
    const seen = new Set<Row>([row])
    for (let parent = this.parentOf(row); parent !== undefined && !seen.has(parent); parent = this.parentOf(parent)) {
      if (parent[cells.threadId] === threadId) return true
      seen.add(parent)
    }
    return false
  }

  private parentOf(row: Row): Row | undefined {
    const parentId = row[cells.parentId]
    return parentId === null ? undefined : this.rows.get(key(row, parentId as string))
  }
}

const key = (row: Row, id: string): string => `${row[cells.projectId]}\n${row[cells.traceId]}\n${id}`
