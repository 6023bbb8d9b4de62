import { useState } from 'preact/hooks'
import { Field } from '../components/controls/field.tsx'
import { FormDialog } from '../components/overlays/form-dialog.tsx'

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
  const [refusal, setRefusal] = useState<string>()
  const fault = typed === '' ? undefined : (faultOf(typed) ?? refusal)
  return (
    <FormDialog
      title={title}
      verb={verb}
      isReady={typed !== '' && fault === undefined}
      submit={() => onDone(typed)}
      onError={(error) => setRefusal(error instanceof Error ? error.message : String(error))}
      onClose={onClose}
    >
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
    </FormDialog>
  )
}
