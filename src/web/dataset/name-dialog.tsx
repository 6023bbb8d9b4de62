import { useState } from 'preact/hooks'
import { Button } from '../components/controls/button.tsx'
import { Field } from '../components/controls/field.tsx'
import { Dialog } from '../components/overlays/dialog.tsx'
import { datasetText } from '../text/dataset.ts'

interface NameDialogProps {
  readonly title: string
  readonly label: string
  readonly hint?: string
  readonly verb: string
  /** What is wrong with a name; undefined for a good one. */
  readonly faultOf: (typed: string) => string | undefined
  readonly onDone: (typed: string) => void | Promise<void>
  readonly onClose: () => void
}

/** Asks for one word: a name, or the number of a row. */
export function NameDialog({ title, label, hint, verb, faultOf, onDone, onClose }: NameDialogProps) {
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const fault = typed === '' ? undefined : (faultOf(typed) ?? refusal)
  const done = async (event: Event) => {
    event.preventDefault()
    if (typed === '' || faultOf(typed) !== undefined || busy) return
    setBusy(true)
    try {
      await onDone(typed)
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : String(error))
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      foot={
        <>
          <Button hint="esc" onClick={onClose}>
            {datasetText.cancel}
          </Button>
          <Button
            kind="primary"
            type="submit"
            form="name-dialog"
            busy={busy}
            disabled={typed === '' || fault !== undefined}
          >
            {verb}
          </Button>
        </>
      }
    >
      <form id="name-dialog" onSubmit={(event) => void done(event)}>
        <Field
          label={label}
          hint={hint}
          error={fault}
          value={typed}
          autofocus
          autocomplete="off"
          onInput={(event) => {
            setTyped(event.currentTarget.value.trim())
            setRefusal(undefined)
          }}
        />
      </form>
    </Dialog>
  )
}
