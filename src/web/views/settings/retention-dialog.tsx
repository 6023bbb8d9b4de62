import { useState } from 'preact/hooks'
import { setRetention } from '../../api/retention.ts'
import { Field } from '../../components/controls/field.tsx'
import { retentionText } from '../../text/retention.ts'
import { settingsText } from '../../text/settings.ts'
import { FormDialog } from './form-dialog.tsx'

/** Asks for how many days a project keeps its calls. */
export function RetentionDialog({ projectId, days, onClose, onSaved }: RetentionDialogProps) {
  const [typed, setTyped] = useState(days === null ? '' : String(days))
  const isReady = /^\s*\d*\s*$/.test(typed) && Number(typed || 1) >= 1
  const save = async (): Promise<void> => {
    await setRetention(projectId, typed.trim() === '' ? null : Number(typed))
    onSaved()
  }
  return (
    <FormDialog
      title={settingsText.sections.retention}
      action={retentionText.save}
      isReady={isReady}
      save={save}
      onClose={onClose}
    >
      {(problem) => (
        <Field
          label={retentionText.days}
          hint={retentionText.daysHint}
          autofocus
          inputMode="numeric"
          value={typed}
          error={problem ?? (isReady ? undefined : retentionText.wrong)}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      )}
    </FormDialog>
  )
}

interface RetentionDialogProps {
  readonly projectId: string
  /** Null: for ever. */
  readonly days: number | null
  readonly onClose: () => void
  readonly onSaved: () => unknown
}
