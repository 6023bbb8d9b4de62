import { useState } from 'preact/hooks'
import { Problem } from '../../api/client.ts'
import { Field } from '../../components/controls/field.tsx'
import { FormDialog } from '../../components/overlays/form-dialog.tsx'
import { boardLimits } from '../../dashboard/cards/board.ts'
import { reloadBoards, type SavedDashboard, saveBoard } from '../../dashboard/saved-dashboards.ts'
import { showToast } from '../../state/toasts.ts'
import { boardText } from '../../text/board.ts'

interface RenameDialogProps {
  readonly projectId: string
  readonly dashboard: SavedDashboard
  readonly onClose: () => void
}

/** Stores a version with another name. */
export function RenameDialog({ projectId, dashboard, onClose }: RenameDialogProps) {
  const [label, setLabel] = useState(dashboard.label)
  const rename = async (): Promise<void> => {
    const { board, id, digest } = dashboard
    if (board === undefined) return
    try {
      await saveBoard(projectId, id, { ...board, label: label.trim() }, digest)
      await reloadBoards(projectId)
      showToast({ kind: 'done', text: boardText.list.renamed(label.trim()) })
      onClose()
    } catch (error) {
      if (error instanceof Problem && error.type === 'VersionConflict') await reloadBoards(projectId)
      throw error
    }
  }
  return (
    <FormDialog
      title={boardText.list.renameTitle(dashboard.label)}
      verb={boardText.rename}
      isReady={label.trim() !== ''}
      submit={rename}
      onClose={onClose}
    >
      <Field
        label={boardText.list.name}
        value={label}
        maxLength={boardLimits.titleCharsMax}
        autofocus
        dir="auto"
        onInput={({ currentTarget }) => setLabel(currentTarget.value)}
      />
    </FormDialog>
  )
}
