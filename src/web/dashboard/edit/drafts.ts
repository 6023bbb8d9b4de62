import { memberOf } from '../../../lib/present.ts'
import { type Board, boardOf, contentOf } from '../cards/board.ts'

/** Unsaved changes of a dashboard. */
export interface BoardDraft {
  /** Digest of the version that they start from. */
  readonly startedFrom: string
  readonly board: Board
}

const keyOf = (projectId: string, id: string): string => `tracelake.dashboard ${projectId} ${id}`

/** The unsaved changes that this browser keeps of a dashboard. */
export function draftOf(projectId: string, id: string): BoardDraft | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(projectId, id)) ?? 'null')
    const startedFrom = memberOf(kept, 'startedFrom')
    const board = boardOf(memberOf(kept, 'board'), id)
    return typeof startedFrom === 'string' && board ? { startedFrom, board } : undefined
  } catch {
    return undefined // No storage here, or a draft of another version of this page.
  }
}

/** Keeps unsaved changes, so that they survive a reload; undefined forgets them. */
export function keepDraft(projectId: string, id: string, draft: BoardDraft | undefined): void {
  try {
    if (draft === undefined) localStorage.removeItem(keyOf(projectId, id))
    else localStorage.setItem(keyOf(projectId, id), JSON.stringify({ ...draft, board: contentOf(draft.board) }))
  } catch {
    // Storage is unavailable or full: the changes then last as long as the page.
  }
}
