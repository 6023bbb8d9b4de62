import { Problem } from '../../api/client.ts'
import { boardText } from '../../text/board.ts'
import { type Board, boardLimits, type Card } from '../cards/board.ts'
import { hasRoom, inserted } from '../edit/arrange.ts'
import { boardDrafts } from '../edit/drafts.ts'
import { makeBoard, reloadBoards, type SavedBoard, saveBoard } from '../saved-dashboards.ts'

/**
 * Adds a card at the end of a dashboard, or makes one with it. Where this browser keeps unsaved
 * changes to the dashboard, the card is added to these.
 *
 * @returns the id of the dashboard
 * @throws {Problem} if it cannot be stored
 */
export async function addCard(
  projectId: string,
  into: SavedBoard | Pick<Board, 'label' | 'range'>,
  card: Card,
): Promise<string> {
  if (!('board' in into)) return await makeBoard(projectId, { label: into.label, range: into.range, cards: [card] })
  const draft = boardDrafts.find(projectId, into.id)
  const board = draft?.board ?? into.board
  if (!hasRoom(board)) throw new Error(boardText.full(boardLimits.cardsMax))
  if (draft) {
    boardDrafts.keep(projectId, into.id, { ...draft, board: inserted(board, card) })
    return into.id
  }
  try {
    await saveBoard(projectId, into.id, inserted(board, card), into.digest)
  } catch (error) {
    if (error instanceof Problem && error.type === 'VersionConflict') throw new Error(boardText.addTo.conflict)
    throw error
  } finally {
    await reloadBoards(projectId)
  }
  return into.id
}
