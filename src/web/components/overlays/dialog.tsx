import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { classNames } from '../display/class-names.ts'
import css from './dialog.module.css'

/**
 * A dialog over the page; escape closes it. Give the safe button `autofocus`. For decisions and
 * forms: what is only read gets a panel.
 */
export function Dialog({ open, onClose, title, children, foot, class: className }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    if (!open) return
    const from = document.activeElement
    element.current?.showModal()
    return () => from instanceof HTMLElement && from.focus()
  }, [open])
  if (!open) return null
  return (
    <dialog
      ref={element}
      class={classNames(css.dialog, className)}
      aria-labelledby={id}
      onClose={onClose}
      onMouseDown={(event) => event.target === element.current && onClose()}
    >
      <div class={css.body}>
        <h2 id={id}>{title}</h2>
        {children}
      </div>
      {foot && <div class={css.foot}>{foot}</div>}
    </dialog>
  )
}

interface DialogProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly title: ComponentChildren
  readonly children?: ComponentChildren
  /** Buttons, the safe one first. */
  readonly foot?: ComponentChildren
  readonly class?: string | undefined
}
