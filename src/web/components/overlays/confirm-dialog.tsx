import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { showError } from '../../state/toasts.ts'
import { partsText } from '../../text/parts.ts'
import { Button } from '../controls/button.tsx'
import { Dialog } from './dialog.tsx'

/** Asks before something that cannot be undone. The focus is on the button that changes nothing. */
export function ConfirmDialog({ open, onClose, title, children, verb, keep = partsText.cancel, run }: ConfirmProps) {
  const [busy, setBusy] = useState(false)
  const confirm = async () => {
    setBusy(true)
    try {
      await run()
      onClose()
    } catch (error) {
      showError(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      foot={
        <>
          <Button autofocus hint="esc" onClick={onClose}>
            {keep}
          </Button>
          <Button kind="danger-filled" busy={busy} onClick={confirm}>
            {verb}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}

interface ConfirmProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly title: string
  readonly children?: ComponentChildren
  /** Word of the button that does it. */
  readonly verb: string
  /** Word of the button that leaves things as they are. */
  readonly keep?: string
  readonly run: () => Promise<void>
}
