import type { IconNode } from 'lucide'
import type { ComponentChildren, RefObject, TargetedMouseEvent } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { KeyHint } from '../controls/key-hint.tsx'
import { classNames } from '../display/class-names.ts'
import { Icon } from '../display/icon.tsx'
import css from './menu.module.css'
import { Popover } from './popover.tsx'

/** An entry of a menu; `separator` draws a line before it. */
export interface MenuItem {
  readonly label: ComponentChildren
  readonly icon?: IconNode | undefined
  readonly hint?: string | undefined
  readonly danger?: boolean
  readonly disabled?: boolean
  readonly separator?: boolean
  /** For choices: whether it is the current one. */
  readonly checked?: boolean | undefined
  readonly href?: string | undefined
  readonly run?: (() => void) | undefined
}

/** A menu beside the button that opens it. Arrows, Home, End and first letters move. */
export function Menu({ open, onClose, anchor, items, label, side = 'start' }: MenuProps) {
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (!open) return
    const from = anchor.current
    const checked = list.current?.querySelector<HTMLElement>('[aria-checked=true]')
    ;(checked ?? entries(list.current)[0])?.focus()
    return () => from?.focus()
  }, [open])
  const choose = (item: MenuItem): void => {
    onClose()
    item.run?.()
  }
  return (
    <Popover open={open} onClose={onClose} anchor={anchor} side={side} role="menu" label={label} class={css.menu}>
      <div ref={list} role="none" onKeyDown={(event) => move(event, list.current)}>
        {items.map((item, index) => (
          <Entry key={index} item={item} onChoose={() => choose(item)} />
        ))}
      </div>
    </Popover>
  )
}

function Entry({ item, onChoose }: { item: MenuItem; onChoose: () => void }) {
  const shared = {
    role: item.checked === undefined ? 'menuitem' : 'menuitemradio',
    'aria-checked': item.checked,
    tabIndex: -1,
    class: classNames(css.item, item.danger && css.danger),
    onMouseEnter: ({ currentTarget }: TargetedMouseEvent<HTMLElement>) => currentTarget.focus({ preventScroll: true }),
  } as const
  const content = (
    <>
      {item.icon && <Icon of={item.icon} />}
      <span class="cut">{item.label}</span>
      {item.hint && <KeyHint keys={item.hint} plain />}
    </>
  )
  return (
    <>
      {item.separator && <hr class={css.line} />}
      {item.href === undefined ? (
        <button type="button" {...shared} disabled={item.disabled} onClick={onChoose}>
          {content}
        </button>
      ) : (
        <a {...shared} href={item.href} onClick={onChoose}>
          {content}
        </a>
      )}
    </>
  )
}

const entries = (list: HTMLElement | null): HTMLElement[] => [
  ...(list?.querySelectorAll<HTMLElement>('[role^=menuitem]:not(:disabled)') ?? []),
]

function move(event: KeyboardEvent, list: HTMLElement | null): void {
  const all = entries(list)
  const at = document.activeElement instanceof HTMLElement ? all.indexOf(document.activeElement) : -1
  const letter = event.key.length === 1 ? event.key.toLowerCase() : undefined
  const named = all.findIndex(
    (entry, index) => index > at && entry.textContent?.toLowerCase().startsWith(letter ?? '\n'),
  )
  const next =
    { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key] ?? (letter && named >= 0 ? named : undefined)
  if (next === undefined) return
  event.preventDefault()
  event.stopPropagation()
  all.at(next % all.length)?.focus()
}

interface MenuProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly anchor: RefObject<HTMLElement | null>
  readonly items: readonly MenuItem[]
  readonly label: string
  readonly side?: 'start' | 'end'
}
