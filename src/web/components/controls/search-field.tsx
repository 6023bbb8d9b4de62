import { Search } from 'lucide'
import type { Ref } from 'preact'
import { classNames } from '../display/class-names.ts'
import { Icon } from '../display/icon.tsx'
import { KeyHint } from './key-hint.tsx'
import css from './search-field.module.css'

/** A field that narrows what is shown while somebody types. Escape leaves it. */
export const SearchField = ({ label, value, onType, onEnter, hint, inputRef, class: className }: SearchFieldProps) => (
  <div class={classNames(css.field, className)}>
    <Icon of={Search} />
    <input
      ref={inputRef}
      type="search"
      aria-label={label}
      placeholder={label}
      value={value}
      spellcheck={false}
      autocomplete="off"
      onInput={(event) => onType(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onEnter?.()
        else if (event.key === 'Escape') event.currentTarget.blur()
      }}
    />
    {hint && <KeyHint keys={hint} />}
  </div>
)

interface SearchFieldProps {
  readonly label: string
  readonly value: string
  readonly onType: (text: string) => void
  readonly onEnter?: () => void
  readonly hint?: string | undefined
  readonly inputRef: Ref<HTMLInputElement>
  readonly class?: string | undefined
}
