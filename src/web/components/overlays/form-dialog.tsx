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
  /** Of the button that submits. */
  readonly verb: string
  /** Whether all that is needed is filled in; it is without. */
  readonly isReady?: boolean
  /** Whether it deletes something. */
  readonly isDangerous?: boolean
  /** Does it, and closes the dialog where it succeeded. It may throw. */
  readonly submit: () => unknown
  /** Takes what `submit` throws, which is a message over the page without. */
  readonly onError?: (error: unknown) => void
  readonly onClose: () => void
  /** A button before the others. */
  readonly before?: ComponentChildren
  readonly class?: string | undefined
  readonly formClass?: string | undefined
  /** The fields. */
  readonly children: ComponentChildren
}
