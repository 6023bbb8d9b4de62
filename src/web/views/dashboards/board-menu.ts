import { Copy, History, Image, Link, Trash2 } from 'lucide'
import type { RefObject } from 'preact'
import type { MenuItem } from '../../components/overlays/menu.tsx'
import { boardDrafts } from '../../dashboard/edit/drafts.ts'
import { makeBoard, reloadBoards, type SavedBoard } from '../../dashboard/saved-dashboards.ts'
import { navigate } from '../../state/location.ts'
import { dashboardPath, objectPath, viewPath } from '../../state/paths.ts'
import { canWrite } from '../../state/session.ts'
import { linkToShare } from '../../state/shared-address.ts'
import { offerUndo, showError, showToast } from '../../state/toasts.ts'
import { boardText } from '../../text/board.ts'
import { deleteObject } from '../../versions/objects.ts'

interface BoardMenuOptions {
  readonly projectId: string
  readonly saved: SavedBoard
  readonly grid: RefObject<HTMLElement | null>
}

/** What can be done with a dashboard as a whole. */
export function boardMenu({ projectId, saved, grid }: BoardMenuOptions): MenuItem[] {
  const copyLink = () =>
    navigator.clipboard
      .writeText(linkToShare())
      .then(() => showToast({ kind: 'done', text: boardText.linkCopied }))
      .catch(showError)
  const picture = async () => {
    if (grid.current === null) return
    const { exportPicture } = await import('../../dashboard/cards/card-export.ts')
    await exportPicture(grid.current, saved.label)
  }
  const changes: MenuItem[] = canWrite.value
    ? [
        {
          icon: Copy,
          label: boardText.duplicate,
          separator: true,
          run: () => void duplicateBoard(projectId, saved).catch(showError),
        },
        {
          icon: Trash2,
          label: boardText.list.remove,
          danger: true,
          run: () =>
            void deleteBoard(projectId, saved.id, saved.label)
              .then(() => navigate(viewPath(projectId, 'dashboard-list')))
              .catch(showError),
        },
      ]
    : []
  return [
    { icon: Link, label: boardText.copyLink, run: () => void copyLink() },
    {
      icon: Image,
      label: boardText.png,
      disabled: saved.board.cards.length === 0,
      run: () => void picture().catch(showError),
    },
    { icon: History, label: boardText.list.versions, href: `${objectPath(projectId, saved.id)}?tab=versions` },
    ...changes,
  ]
}

/** Stores a copy under another name and opens it. @throws {Problem} */
export async function duplicateBoard(projectId: string, { board }: SavedBoard): Promise<void> {
  const label = boardText.copyOf(board.label)
  const id = await makeBoard(projectId, { ...board, label })
  showToast({ kind: 'done', text: boardText.list.duplicated(label) })
  navigate(dashboardPath(projectId, id, ''))
}

/** Deletes a dashboard and offers to bring it back. @throws {Problem} */
export async function deleteBoard(projectId: string, id: string, label: string): Promise<void> {
  const restore = await deleteObject(projectId, id)
  boardDrafts.keep(projectId, id, undefined)
  await reloadBoards(projectId)
  offerUndo({
    text: boardText.list.removed(label),
    undo: async () => {
      await restore()
      await reloadBoards(projectId)
    },
  })
}
