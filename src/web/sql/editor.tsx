import type { RefObject } from 'preact'
import { useId, useMemo, useRef, useState } from 'preact/hooks'
import { classNames } from '../components/display/class-names.ts'
import { sqlText } from '../text/sql.ts'
import { type Completion, completionsAt } from './completion.ts'
import { Completions } from './completions.tsx'
import css from './editor.module.css'
import type { SqlTable } from './run-statement.ts'
import { linesOfTokens, type SqlToken } from './tokens.ts'

/** A place in a statement that is wrong; both count from 1. */
export interface ErrorPlace {
  readonly line: number
  readonly column: number
}

interface EditorProps {
  readonly statement: string
  readonly tables: readonly SqlTable[]
  readonly error: ErrorPlace | undefined
  readonly areaRef: RefObject<HTMLTextAreaElement | null>
  readonly onType: (statement: string) => void
  readonly onRun: () => void
}

/** A field for a statement: coloured while somebody types, with line numbers and completions. */
export function Editor({ statement, tables, error, areaRef, onType, onRun }: EditorProps) {
  const id = useId()
  const [open, setOpen] = useState<{ caret: number; isAsked: boolean; current: number }>()
  const lines = useMemo(() => linesOfTokens(statement), [statement])
  const items = useMemo(
    () => (open ? completionsAt(statement, open.caret, tables, open.isAsked) : []),
    [open?.caret, open?.isAsked, statement, tables],
  )
  const isOpen = items.length > 0
  const current = Math.min(open?.current ?? 0, items.length - 1)
  const box = useRef<HTMLDivElement>(null)
  const choose = ({ from, text }: Completion): void => {
    const area = areaRef.current
    setOpen(undefined)
    if (!area) return
    // At once, for whoever goes on typing.
    area.setRangeText(text, from, open?.caret ?? from, 'end')
    onType(area.value)
  }
  const press = (event: KeyboardEvent): void => {
    const area = areaRef.current
    if (!area) return
    if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') onRun()
    else if (event.ctrlKey && event.key === ' ') setOpen({ caret: area.selectionStart, isAsked: true, current: 0 })
    else if (!isOpen || !open) {
      // The page stops a statement with the same key, and a second one leaves the field.
      return
    } else if (event.key === 'Escape') setOpen(undefined)
    else if (event.key === 'ArrowDown') setOpen({ ...open, current: (current + 1) % items.length })
    else if (event.key === 'ArrowUp') setOpen({ ...open, current: (current + items.length - 1) % items.length })
    else if (event.key === 'Tab' || (event.key === 'Enter' && !event.shiftKey)) {
      const item = items[current]
      if (item) choose(item)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  const before = open ? statement.slice(0, open.caret).split('\n') : []
  const columns = Math.max(20, ...statement.split('\n').map((line) => line.length))
  const { scrollTop, scrollLeft } = box.current ?? { scrollTop: 0, scrollLeft: 0 }
  return (
    <div class={css.frame}>
      <div ref={box} class={css.editor} onScroll={() => setOpen(undefined)}>
        <div class={css.sheet} style={{ minWidth: `calc(${columns + 4}ch + 56px)` }}>
          <div class={css.lines} aria-hidden>
            {lines.map((tokens, index) => (
              <div key={index} class={classNames(css.line, error?.line === index + 1 && css.wrong)}>
                <span class={css.number}>{index + 1}</span>
                <span>
                  {(error?.line === index + 1 ? marked(tokens, error.column) : tokens).map((token, at) => (
                    <span key={at} class={classNames(css[token.kind], 'isWrong' in token && css.word)}>
                      {token.text}
                    </span>
                  ))}
                  {'\u200b'}
                </span>
              </div>
            ))}
          </div>
          <textarea
            ref={areaRef}
            class={css.area}
            aria-label={sqlText.statement}
            aria-invalid={error !== undefined}
            aria-autocomplete="list"
            aria-controls={isOpen ? `${id}-list` : undefined}
            aria-activedescendant={isOpen ? `${id}-${current}` : undefined}
            placeholder={sqlText.placeholder}
            value={statement}
            spellcheck={false}
            autocapitalize="off"
            autocomplete="off"
            wrap="off"
            dir="ltr"
            onInput={({ currentTarget }) => {
              onType(currentTarget.value)
              setOpen({ caret: currentTarget.selectionStart, isAsked: false, current: 0 })
            }}
            onKeyDown={press}
            onBlur={() => setOpen(undefined)}
            onClick={() => setOpen(undefined)}
          />
        </div>
      </div>
      {isOpen && (
        <div
          class={css.completions}
          style={{
            insetInlineStart: `calc(${(before.at(-1) ?? '').length}ch + ${48 - scrollLeft}px)`,
            top: `${before.length * 20 + 10 - scrollTop}px`,
          }}
        >
          <Completions id={id} items={items} current={current} onChoose={choose} />
        </div>
      )}
    </div>
  )
}

type Piece = SqlToken | (SqlToken & { readonly isWrong: true })

/** The pieces of a line with the word at a column apart. */
function marked(tokens: readonly SqlToken[], column: number): Piece[] {
  const text = tokens.map((token) => token.text).join('')
  const from = column - 1
  const to = from + (/^[\w.]+|^./u.exec(text.slice(from))?.[0].length ?? 0)
  let at = 0
  return tokens.flatMap(({ kind, text: own }) => {
    const start = at
    at += own.length
    const cut = (a: number, b: number) => own.slice(Math.max(0, a - start), Math.max(0, b - start))
    const parts: Piece[] = [
      { kind, text: cut(start, from) },
      { kind, text: cut(Math.max(from, start), to), isWrong: true },
      { kind, text: cut(Math.max(to, start), at) },
    ]
    return parts.filter((part) => part.text !== '')
  })
}
