import { useState } from 'preact/hooks'
import { Field, inputClass } from '../components/controls/field.tsx'
import { classNames } from '../components/display/class-names.ts'
import { FormDialog } from '../components/overlays/form-dialog.tsx'
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
  const [name, setName] = useState(initial?.name ?? '')
  const [description, setDescription] = useState(initial?.description ?? '')
  const isEmpty = name.trim() === ''
  return (
    <FormDialog
      title={title}
      verb={verb}
      isReady={!isEmpty}
      formClass={css.form}
      submit={() => save(name.trim(), description.trim())}
      onClose={onClose}
    >
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
    </FormDialog>
  )
}
