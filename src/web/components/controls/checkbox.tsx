import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { classNames } from '../display/class-names.ts'
import css from './checkbox.module.css'

/** A checkbox. Without children it needs a label; its target is the whole box around it. */
export function Checkbox({
  checked,
  mixed = false,
  onChange,
  label,
  children,
  disabled,
  tabIndex,
  class: className,
}: CheckboxProps) {
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    if (input.current) input.current.indeterminate = mixed
  }, [mixed])
  return (
    <label class={classNames(css.box, className)}>
      <input
        ref={input}
        type="checkbox"
        class={css.check}
        checked={checked}
        disabled={disabled}
        tabIndex={tabIndex}
        aria-label={label}
        onClick={(event) => onChange(event.currentTarget.checked, event)}
      />
      {children}
    </label>
  )
}

interface CheckboxProps {
  readonly checked: boolean
  /** Some of its items are checked. */
  readonly mixed?: boolean
  readonly onChange: (checked: boolean, event: MouseEvent) => void
  readonly label?: string | undefined
  readonly disabled?: boolean
  /** -1 where a list around it is the one stop of the Tab key. */
  readonly tabIndex?: number
  readonly class?: string | undefined
  readonly children?: ComponentChildren
}
