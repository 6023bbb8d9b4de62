import type { IconNode } from 'lucide'
import type { ComponentChildren, RefObject, VNode } from 'preact'
import { useRef } from 'preact/hooks'
import { useKeys } from '../../state/keys.ts'
import { useIsPhone } from '../../state/use-media.ts'
import { Button } from '../controls/button.tsx'
import { SearchField } from '../controls/search-field.tsx'
import { FixedRows, type FixedRowsHandle } from '../display/fixed-rows.tsx'
import { EmptyState } from '../states/empty-state.tsx'
import css from './list.module.css'

const rowHeight = { wide: 40, phone: 62 }

/** What the keys of a list do, for its users. */
interface KeyWords {
  readonly next: string
  readonly previous: string
  readonly open: string
  readonly find: string
}

/** The cursor of a list, and the elements that its keys reach. */
export interface ListKeys {
  readonly list: RefObject<FixedRowsHandle | null>
  readonly field: RefObject<HTMLInputElement | null>
}

/**
 * Moves through a list by keys, and into its search field.
 *
 * @param at 1-based place of the cursor; 0 for none
 */
export function useListKeys<Item>({
  shown,
  at,
  onAt,
  open,
  words,
}: {
  readonly shown: readonly Item[]
  readonly at: number
  readonly onAt: (at: number) => void
  readonly open: (item: Item) => void
  readonly words: KeyWords
}): ListKeys {
  const list = useRef<FixedRowsHandle>(null)
  const field = useRef<HTMLInputElement>(null)
  const go = (to: number) => {
    const next = Math.min(shown.length, Math.max(1, to))
    onAt(next)
    list.current?.show(next - 1)
  }
  const openCurrent = (event: KeyboardEvent) => {
    const item = shown[at - 1]
    if (event.target === document.body && item !== undefined) open(item)
  }
  useKeys([
    { keys: 'j', does: words.next, run: () => go(at + 1) },
    { keys: 'k', does: words.previous, run: () => go(at - 1) },
    { keys: 'Enter', does: words.open, run: openCurrent },
    { keys: '/', does: words.find, run: () => field.current?.focus() },
  ])
  return { list, field }
}

interface FoundListProps<Item> {
  readonly keys: ListKeys
  readonly shown: readonly Item[]
  readonly find: string
  readonly icon: IconNode
  readonly words: { readonly find: string; readonly noneFound: string; readonly clear: string }
  readonly onFind: (find: string) => void
  readonly onClear: () => void
  readonly open: (item: Item) => void
  /** Above the rows; not on a phone. */
  readonly head: VNode
  readonly render: (item: Item, index: number) => VNode
  /** Further tools beside the search field. */
  readonly tools?: ComponentChildren
  /** Between the tools and the rows. */
  readonly notice?: ComponentChildren
}

/** Things of a project by name: a search field, and rows that lead to their pages. */
export function FoundList<Item>(props: FoundListProps<Item>) {
  const { keys, shown, find, icon, words, onFind, onClear, open, head, render, tools, notice } = props
  const isPhone = useIsPhone()
  return (
    <>
      <div class={css.tools}>
        <SearchField
          label={words.find}
          value={find}
          onType={onFind}
          onEnter={() => shown[0] !== undefined && open(shown[0])}
          hint="/"
          inputRef={keys.field}
          class={css.find}
        />
        {tools}
      </div>
      {notice}
      {shown.length === 0 ? (
        <EmptyState icon={icon} title={words.noneFound} action={<Button onClick={onClear}>{words.clear}</Button>} />
      ) : (
        <div class={css.rows}>
          <FixedRows
            list={keys.list}
            items={shown}
            rowHeight={isPhone ? rowHeight.phone : rowHeight.wide}
            before={isPhone ? undefined : head}
            render={render}
          />
        </div>
      )}
    </>
  )
}
