import type { ComponentChildren, InputHTMLAttributes, PartialInputHTMLAttributes, Ref } from 'preact'
import { useId } from 'preact/hooks'
import { classNames } from '../display/class-names.ts'
import css from './field.module.css'

interface FieldProps extends Omit<PartialInputHTMLAttributes<HTMLInputElement>, 'class' | 'label' | 'value' | 'ref'> {
  readonly label: ComponentChildren
  /** Where the label is obvious to the eye: read by screen readers only. */
  readonly hideLabel?: boolean
  readonly hint?: ComponentChildren
  /** Error message, with the way to fix it. */
  readonly error?: string | undefined
  readonly mono?: boolean
  readonly class?: string | undefined
  readonly inputRef?: Ref<HTMLInputElement>
  readonly value?: string
  /** Id of a `datalist` with suggestions. */
  readonly list?: string
  readonly type?: 'text' | 'password' | 'search' | 'number' | 'datetime-local'
}

/** A field for one line of text. */
export function Field({ label, hideLabel, hint, error, mono, class: className, inputRef, ...input }: FieldProps) {
  const id = useId()
  const note = error ?? hint
  // The types of attributes depend on the value of `type`, which callers choose.
  const attributes = {
    spellcheck: false,
    // Also on pages that run from right to left.
    dir: 'auto',
    ...input,
    'aria-invalid': error === undefined ? undefined : true,
    'aria-describedby': note === undefined ? undefined : `${id}-note`,
  } as InputHTMLAttributes<HTMLInputElement>
  return (
    <div class={classNames(css.field, className)}>
      <label for={id} class={hideLabel ? 'sr-only' : css.label}>
        {label}
      </label>
      <input {...attributes} id={id} ref={inputRef ?? null} class={classNames(css.input, mono && 'mono')} />
      {note !== undefined && (
        <div id={`${id}-note`} class={error === undefined ? css.hint : css.error} role={error ? 'alert' : undefined}>
          {note}
        </div>
      )}
    </div>
  )
}

/** The style of fields, for inputs that are part of something larger. */
export const inputClass = css.input ?? ''
