import { useEffect, useRef } from 'preact/hooks'
import { classNames } from '../display/class-names.ts'
import css from './suggestions.module.css'

/** A possible continuation of what is typed. */
export interface Suggestion {
  /** Its name in the list. */
  readonly label: string
  /** The text that it inserts at `from`. */
  readonly text: string
  readonly from: number
  /** Type of a field. */
  readonly type?: string | undefined
  /** Share of calls, or their count. */
  readonly amount?: string | undefined
}

/** The list below a field, which keeps the focus. */
export function Suggestions({ id, label, items, current, onChoose }: SuggestionsProps) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [current])
  return (
    <div
      ref={list}
      id={`${id}-list`}
      role="listbox"
      aria-label={label}
      tabIndex={-1}
      class={css.list}
      onPointerDown={(event) => event.preventDefault()}
    >
      {items.map((item, index) => (
        <div
          key={item.text}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === current}
          class={classNames(css.item, index === current && css.current)}
          onPointerDown={(event) => {
            event.preventDefault()
            onChoose(item)
          }}
        >
          <span class={classNames('cut', css.label)}>{item.label}</span>
          {item.type && <span class={css.type}>{item.type}</span>}
          {item.amount && <span class={css.amount}>{item.amount}</span>}
        </div>
      ))}
    </div>
  )
}

interface SuggestionsProps {
  /** Begins the ids of list and items. */
  readonly id: string
  readonly label: string
  readonly items: readonly Suggestion[]
  readonly current: number
  readonly onChoose: (item: Suggestion) => void
}
