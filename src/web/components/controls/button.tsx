import type { IconNode } from 'lucide'
import type { ButtonHTMLAttributes, ComponentChildren, Ref } from 'preact'
import { classNames } from '../display/class-names.ts'
import { Icon } from '../display/icon.tsx'
import { StatusIcon } from '../display/status-icon.tsx'
import css from './button.module.css'
import { KeyHint } from './key-hint.tsx'

/** Look of a button. At most one on a page is primary. */
export type ButtonKind = 'default' | 'primary' | 'quiet' | 'danger' | 'danger-filled'

interface ButtonProps
  extends Omit<
    ButtonHTMLAttributes<HTMLButtonElement>,
    'icon' | 'class' | 'size' | 'disabled' | 'type' | 'children' | 'ref'
  > {
  readonly kind?: ButtonKind
  readonly size?: 'default' | 'compact' | 'large'
  readonly icon?: IconNode | undefined
  /** Icon after the words, such as a chevron. */
  readonly iconAfter?: IconNode | undefined
  /** Key that does the same, printed beside the words. */
  readonly hint?: string | undefined
  /** Shows that it is being done; nothing can be pressed meanwhile. */
  readonly busy?: boolean
  readonly disabled?: boolean
  readonly type?: 'button' | 'submit'
  readonly pressed?: boolean | undefined
  readonly class?: string | undefined
  readonly buttonRef?: Ref<HTMLButtonElement> | undefined
  readonly children?: ComponentChildren
}

/** A button with words. */
export function Button({ kind = 'default', size = 'default', icon, iconAfter, hint, busy, ...rest }: ButtonProps) {
  const { children, class: className, disabled, type = 'button', pressed, buttonRef, ...attributes } = rest
  return (
    <button
      {...attributes}
      ref={buttonRef ?? null}
      type={type}
      class={classNames(css.button, css[kind], size !== 'default' && css[size], className)}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      aria-pressed={pressed}
    >
      {busy ? <StatusIcon status="running" hidden /> : icon && <Icon of={icon} />}
      {children}
      {iconAfter && <Icon of={iconAfter} size={14} class={css.after} />}
      {hint && <KeyHint keys={hint} />}
    </button>
  )
}

interface IconButtonProps extends Omit<ButtonProps, 'children' | 'icon' | 'iconAfter' | 'hint' | 'label'> {
  readonly of: IconNode
  /** Name of the action, for screen readers and the tooltip. */
  readonly label: string
  /** Key that does the same, named in the tooltip. */
  readonly hint?: string | undefined
  readonly iconSize?: number
}

/** A square button with an icon alone. */
export function IconButton({ of, label, hint, kind = 'quiet', size = 'default', busy, ...rest }: IconButtonProps) {
  const { class: className, disabled, type = 'button', pressed, buttonRef, iconSize = 16, ...attributes } = rest
  return (
    <button
      data-tip={label}
      data-tip-key={hint}
      {...attributes}
      ref={buttonRef ?? null}
      type={type}
      class={classNames(css.button, css.square, css[kind], size !== 'default' && css[size], className)}
      disabled={disabled || busy}
      aria-label={label}
      aria-pressed={pressed}
    >
      {busy ? <StatusIcon status="running" hidden /> : <Icon of={of} size={iconSize} />}
    </button>
  )
}
