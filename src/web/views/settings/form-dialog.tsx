import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from '../../components/controls/button.tsx'
import { Dialog } from '../../components/overlays/dialog.tsx'
import { partsText } from '../../text/parts.ts'
import css from './settings.module.css'

/** A dialog with a form. It closes once `save` is done; what `save` throws is shown in the form. */
export function FormDialog(props: FormDialogProps) {
  const { title, action, isReady, isDangerous = false, save, onClose, class: className, children } = props
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    if (!isReady) return
    setBusy(true)
    try {
      await save()
      onClose()
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      class={className}
      foot={
        <>
          <Button onClick={onClose}>{partsText.cancel}</Button>
          <Button kind={isDangerous ? 'danger-filled' : 'primary'} busy={isBusy} disabled={!isReady} onClick={submit}>
            {action}
          </Button>
        </>
      }
    >
      <form class={css.form} onSubmit={submit}>
        {children(problem)}
        <button type="submit" hidden />
      </form>
    </Dialog>
  )
}

interface FormDialogProps {
  readonly title: string
  /** Verb of the button. */
  readonly action: string
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
