import { ChevronDown } from 'lucide'
import { useId } from 'preact/hooks'
import { classNames } from '../display/class-names.ts'
import { Icon } from '../display/icon.tsx'
import fieldCss from './field.module.css'
import css from './select.module.css'

/** A choice from a list: the platform's own. */
export function Select<Id extends string>({
  label,
  hideLabel,
  options,
  value,
  onChange,
  onOpen,
  hint,
  class: className,
}: SelectProps<Id>) {
  const id = useId()
  return (
    <div class={classNames(fieldCss.field, className)}>
      <label for={id} class={hideLabel ? 'sr-only' : fieldCss.label}>
        {label}
      </label>
      <div class={css.box}>
        <select
          id={id}
          class={classNames(fieldCss.input, css.select)}
          value={value}
          onFocus={onOpen}
          onPointerDown={onOpen}
          onChange={(event) => {
            const chosen = options.find((option) => option.id === event.currentTarget.value)
            if (chosen !== undefined) onChange(chosen.id)
          }}
        >
          {options.map((option) => (
            <option key={option.id} value={option.id}>
              {option.label}
            </option>
          ))}
        </select>
        <Icon of={ChevronDown} size={14} class={css.arrow} />
      </div>
      {hint && <div class={fieldCss.hint}>{hint}</div>}
    </div>
  )
}

interface SelectProps<Id extends string> {
  readonly label: string
  readonly hideLabel?: boolean
  readonly options: readonly { readonly id: Id; readonly label: string }[]
  readonly value: Id
  readonly onChange: (id: Id) => void
  /** Called when somebody is about to choose; lists that others change are read again then. */
  readonly onOpen?: (() => void) | undefined
  readonly hint?: string | undefined
  readonly class?: string | undefined
}
