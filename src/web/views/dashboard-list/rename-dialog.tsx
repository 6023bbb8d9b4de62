import { useState } from 'preact/hooks'
import { Problem } from '../../api/client.ts'
import { Button } from '../../components/controls/button.tsx'
import { Field } from '../../components/controls/field.tsx'
import { Dialog } from '../../components/overlays/dialog.tsx'
import { boardLimits } from '../../dashboard/cards/board.ts'
import { reloadBoards, type SavedDashboard, saveBoard } from '../../dashboard/saved-dashboards.ts'
import { showError, showToast } from '../../state/toasts.ts'
import { boardText } from '../../text/board.ts'
import { partsText } from '../../text/parts.ts'

interface RenameDialogProps {
  readonly projectId: string
  readonly dashboard: SavedDashboard
  readonly onClose: () => void
}

/** Stores a version with another name. */
export function RenameDialog({ projectId, dashboard, onClose }: RenameDialogProps) {
  const [label, setLabel] = useState(dashboard.label)
  const [busy, setBusy] = useState(false)
  const rename = async (): Promise<void> => {
    const { board, id, digest } = dashboard
    if (board === undefined || label.trim() === '') return
    setBusy(true)
    try {
      await saveBoard(projectId, id, { ...board, label: label.trim() }, digest)
      await reloadBoards(projectId)
      showToast({ kind: 'done', text: boardText.list.renamed(label.trim()) })
      onClose()
    } catch (error) {
      if (error instanceof Problem && error.type === 'VersionConflict') await reloadBoards(projectId)
      showError(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={boardText.list.renameTitle(dashboard.label)}
      foot={
        <>
          <Button hint="esc" onClick={onClose}>
            {partsText.cancel}
          </Button>
          <Button kind="primary" busy={busy} disabled={label.trim() === ''} onClick={() => void rename()}>
            {boardText.rename}
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void rename()
        }}
      >
        <Field
          label={boardText.list.name}
          value={label}
          maxLength={boardLimits.titleCharsMax}
          autofocus
          dir="auto"
          onInput={({ currentTarget }) => setLabel(currentTarget.value)}
        />
      </form>
    </Dialog>
  )
}
