import type { ComponentChildren, TextareaHTMLAttributes } from 'preact'
import { useId } from 'preact/hooks'
import { classNames } from '../display/class-names.ts'
import css from './field.module.css'

interface TextAreaProps extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'class' | 'label' | 'value' | 'ref'> {
  readonly label: ComponentChildren
  /** Error message, with the way to fix it. */
  readonly error?: string | undefined
  readonly class?: string | undefined
  readonly value: string | undefined
}

/** A field for code or data of several lines. */
export function TextArea({ label, error, class: className, value, ...attributes }: TextAreaProps) {
  const id = useId()
  return (
    <div class={classNames(css.field, className)}>
      <label for={id} class={css.label}>
        {label}
      </label>
      <textarea
        spellcheck={false}
        {...attributes}
        value={value ?? ''}
        id={id}
        class={classNames(css.input, css.area)}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={error === undefined ? undefined : `${id}-note`}
      />
      {error !== undefined && (
        <div id={`${id}-note`} class={css.error} role="alert">
          {error}
        </div>
      )}
    </div>
  )
}
