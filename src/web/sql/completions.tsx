import { useEffect, useRef } from 'preact/hooks'
import { sqlText } from '../text/sql.ts'
import type { Completion } from './completion.ts'
import css from './completions.module.css'

interface CompletionsProps {
  /** Begins the ids of list and items. */
  readonly id: string
  readonly items: readonly Completion[]
  readonly current: number
  readonly onChoose: (item: Completion) => void
}

/** What can follow in a statement, with types; the field keeps the focus. */
export function Completions({ id, items, current, onChoose }: CompletionsProps) {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => list.current?.children[current]?.scrollIntoView({ block: 'nearest' }), [current])
  return (
    <ul ref={list} id={`${id}-list`} role="listbox" aria-label={sqlText.suggestions} tabIndex={-1} class={css.list}>
      {items.map((item, index) => (
        <li
          key={item.text}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === current}
          class={css.item}
          onPointerDown={(event) => {
            event.preventDefault()
            onChoose(item)
          }}
        >
          <span class="cut">{item.text}</span>
          <span class={css.type}>
            {item.table} {item.type}
          </span>
        </li>
      ))}
    </ul>
  )
}
