import { memberOf } from '../../../lib/present.ts'
import { Drafts } from '../../versions/drafts.ts'
import { type Board, boardOf, contentOf } from '../cards/board.ts'

/** Unsaved changes of a dashboard. */
export interface BoardDraft {
  /** Digest of the version that they start from. */
  readonly startedFrom: string
  readonly board: Board
}

/** The unsaved changes of dashboards, by their ids. */
export const boardDrafts = new Drafts<BoardDraft>({
  prefix: 'tracelake.dashboard',
  read: (kept, id) => {
    const startedFrom = memberOf(kept, 'startedFrom')
    const board = boardOf(memberOf(kept, 'board'), id)
    return typeof startedFrom === 'string' && board ? { startedFrom, board } : undefined
  },
  write: (draft) => ({ ...draft, board: contentOf(draft.board) }),
})
