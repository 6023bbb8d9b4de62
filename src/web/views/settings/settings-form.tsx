import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { FormDialog } from '../../components/overlays/form-dialog.tsx'
import css from './settings.module.css'

/** A dialog with a form. It closes once `save` is done; what `save` throws is shown in the form. */
export function SettingsForm({ save, onClose, children, ...options }: SettingsFormProps) {
  const [problem, setProblem] = useState<string>()
  return (
    <FormDialog
      {...options}
      formClass={css.form}
      submit={async () => {
        await save()
        onClose()
      }}
      onError={(error) => setProblem(error instanceof Error ? error.message : String(error))}
      onClose={onClose}
    >
      {children(problem)}
    </FormDialog>
  )
}

interface SettingsFormProps {
  readonly title: string
  /** Of the button that saves. */
  readonly verb: string
  /** Whether all that is needed is filled in. */
  readonly isReady: boolean
  /** Whether it deletes something. */
  readonly isDangerous?: boolean
  readonly save: () => Promise<unknown>
  readonly onClose: () => void
  readonly class?: string | undefined
  /** The fields. @param problem why it was not saved, for the first of them */
  readonly children: (problem: string | undefined) => ComponentChildren
}
