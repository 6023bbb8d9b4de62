import { useId, useState } from 'preact/hooks'
import { Button } from '../components/controls/button.tsx'
import { Field, inputClass } from '../components/controls/field.tsx'
import { classNames } from '../components/display/class-names.ts'
import { Dialog } from '../components/overlays/dialog.tsx'
import { showError } from '../state/toasts.ts'
import { reviewText } from '../text/review.ts'
import css from './queue-form.module.css'

interface QueueFormProps {
  readonly title: string
  readonly verb: string
  readonly initial?: { readonly name: string; readonly description: string }
  /** Stores it. @throws {Problem} */
  readonly save: (name: string, description: string) => Promise<void>
  readonly onClose: () => void
}

/** Asks for the name and the description of a queue. */
export function QueueForm({ title, verb, initial, save, onClose }: QueueFormProps) {
  const id = useId()
  const [name, setName] = useState(initial?.name ?? '')
  const [description, setDescription] = useState(initial?.description ?? '')
  const [busy, setBusy] = useState(false)
  const isEmpty = name.trim() === ''
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    if (isEmpty || busy) return
    setBusy(true)
    try {
      await save(name.trim(), description.trim())
    } catch (error) {
      showError(error)
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
            {reviewText.cancel}
          </Button>
          <Button kind="primary" type="submit" form={id} busy={busy} disabled={isEmpty}>
            {verb}
          </Button>
        </>
      }
    >
      <form id={id} class={css.form} onSubmit={(event) => void submit(event)}>
        <Field
          label={reviewText.name}
          value={name}
          autofocus
          autocomplete="off"
          maxLength={1_024}
          error={initial !== undefined && isEmpty ? reviewText.nameNeeded : undefined}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <label class={css.label}>
          {reviewText.description}
          <textarea
            class={classNames(inputClass, css.text)}
            rows={4}
            maxLength={65_536}
            value={description}
            onInput={(event) => setDescription(event.currentTarget.value)}
          />
          <span class={css.hint}>{reviewText.descriptionHint}</span>
        </label>
      </form>
    </Dialog>
  )
}
