import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { itemAt } from '../../../lib/present.ts'
import { classNames } from '../display/class-names.ts'
import css from './tabs.module.css'

/** One tab of a row. */
interface Tab<Id extends string> {
  readonly id: Id
  readonly label: ComponentChildren
  /** Printed after the label in grey. */
  readonly count?: string | number | undefined
}

/** A row of tabs; arrows move between them. The panel gets `role="tabpanel"` and `id={panelId}`. */
export function Tabs<Id extends string>({ tabs, current, onSelect, label, panelId, class: className }: TabsProps<Id>) {
  const list = useRef<HTMLDivElement>(null)
  const step = (event: KeyboardEvent): void => {
    const at = tabs.findIndex(({ id }) => id === current)
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key]
    if (next === undefined) return
    event.preventDefault()
    const index = (next + tabs.length) % tabs.length
    onSelect(itemAt(tabs, index).id)
    list.current?.querySelectorAll<HTMLButtonElement>('[role=tab]')[index]?.focus()
  }
  return (
    <div ref={list} role="tablist" aria-label={label} class={classNames(css.tabs, className)} onKeyDown={step}>
      {tabs.map(({ id, label: name, count }) => (
        <button
          key={id}
          type="button"
          role="tab"
          class={css.tab}
          aria-selected={id === current}
          aria-controls={id === current ? panelId : undefined}
          tabIndex={id === current ? 0 : -1}
          onClick={() => onSelect(id)}
        >
          {name}
          {count !== undefined && <span class={css.count}>{count}</span>}
        </button>
      ))}
    </div>
  )
}

interface TabsProps<Id extends string> {
  readonly tabs: readonly Tab<Id>[]
  readonly current: Id
  readonly onSelect: (id: Id) => void
  /** Name of the group of tabs, for screen readers. */
  readonly label: string
  readonly panelId?: string | undefined
  readonly class?: string | undefined
}
