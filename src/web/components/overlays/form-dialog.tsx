import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { showError } from '../../state/toasts.ts'
import { partsText } from '../../text/parts.ts'
import { Button } from '../controls/button.tsx'
import { Dialog } from './dialog.tsx'

/** A dialog with a form, a button that submits it, and one that closes it unchanged. */
export function FormDialog({ title, verb, submit, onClose, children, ...options }: FormDialogProps) {
  const { isReady = true, isDangerous = false, onError = showError, before } = options
  const id = useId()
  const [busy, setBusy] = useState(false)
  const run = async (event: Event): Promise<void> => {
    event.preventDefault()
    if (!isReady || busy) return
    setBusy(true)
    try {
      await submit()
    } catch (error) {
      onError(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      class={options.class}
      foot={
        <>
          {before}
          <Button hint="esc" onClick={onClose}>
            {partsText.cancel}
          </Button>
          <Button
            kind={isDangerous ? 'danger-filled' : 'primary'}
            type="submit"
            form={id}
            busy={busy}
            disabled={!isReady}
          >
            {verb}
          </Button>
        </>
      }
    >
      <form id={id} class={options.formClass} onSubmit={(event) => void run(event)}>
        {children}
      </form>
    </Dialog>
  )
}

interface FormDialogProps {
  readonly title: string
  /** The label of the button that submits. */
  readonly verb: string
  /** Whether all required fields are filled in; true by default. */
  readonly isReady?: boolean
  /** Whether submitting deletes something. */
  readonly isDangerous?: boolean
  /** Does what the form is for, and closes the dialog if that succeeded; may throw. */
  readonly submit: () => unknown
  /** Handles what `submit` throws; by default it is shown as a toast. */
  readonly onError?: (error: unknown) => void
  readonly onClose: () => void
  /** A button in front of the others. */
  readonly before?: ComponentChildren
  readonly class?: string | undefined
  readonly formClass?: string | undefined
  /** The fields. */
  readonly children: ComponentChildren
}
