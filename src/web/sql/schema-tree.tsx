import { ChevronDown, ChevronRight, Table2 } from 'lucide'
import type { RefObject } from 'preact'
import { useState } from 'preact/hooks'
import { SearchField } from '../components/controls/search-field.tsx'
import { Icon } from '../components/display/icon.tsx'
import { ErrorState } from '../components/states/error-state.tsx'
import { LoadingRows } from '../components/states/loading-rows.tsx'
import { sqlText } from '../text/sql.ts'
import { typeWord } from './cells.ts'
import type { SqlTable } from './run-statement.ts'
import css from './schema-tree.module.css'

interface SchemaTreeProps {
  readonly tables: readonly SqlTable[] | undefined
  readonly error: Error | undefined
  readonly retry: () => void
  readonly fieldRef: RefObject<HTMLInputElement | null>
  readonly onInsert: (name: string) => void
}

/** Tables and their columns; a click writes the name into the statement. */
export function SchemaTree({ tables, error, retry, fieldRef, onInsert }: SchemaTreeProps) {
  const [find, setFind] = useState('')
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set(['calls']))
  const wanted = find.trim().toLowerCase()
  const shown = (tables ?? [])
    .map((table) => ({ ...table, found: table.columns.filter(({ name }) => name.includes(wanted)) }))
    .filter(({ name, found }) => name.includes(wanted) || found.length > 0)
  const toggle = (name: string): void => {
    const next = new Set(open)
    if (!next.delete(name)) next.add(name)
    setOpen(next)
  }
  return (
    <aside class={css.side} aria-label={sqlText.schema}>
      <div class={css.find}>
        <SearchField label={sqlText.find} value={find} onType={setFind} hint="/" inputRef={fieldRef} />
      </div>
      <div class={css.tables}>
        {error ? (
          <ErrorState error={error} retry={retry} />
        ) : tables === undefined ? (
          <LoadingRows columns="1fr 60px" rows={14} height={24} what={sqlText.readingSchema} />
        ) : (
          shown.map((table) => {
            const isOpen = wanted === '' ? open.has(table.name) : true
            const columns = wanted === '' || table.found.length === 0 ? table.columns : table.found
            return (
              <div key={table.name}>
                <button
                  type="button"
                  class={css.table}
                  aria-expanded={isOpen}
                  data-tip={table.description}
                  onClick={() => toggle(table.name)}
                >
                  <Icon of={isOpen ? ChevronDown : ChevronRight} size={14} />
                  <Icon of={Table2} size={14} />
                  <span>{table.name}</span>
                </button>
                {isOpen &&
                  columns.map(({ name, type, description }) => (
                    <button
                      key={name}
                      type="button"
                      class={css.column}
                      aria-label={sqlText.insert(name)}
                      data-tip={description}
                      onClick={() => onInsert(name)}
                    >
                      <span class="cut">{name}</span>
                      <span class={css.type}>{typeWord(type)}</span>
                    </button>
                  ))}
              </div>
            )
          })
        )}
        {tables !== undefined && shown.length === 0 && <p class={css.note}>{sqlText.noneFound}</p>}
      </div>
      <p class={css.note}>{sqlText.notHere}</p>
    </aside>
  )
}
