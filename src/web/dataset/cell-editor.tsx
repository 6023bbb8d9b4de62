import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { KeyHint } from '../components/controls/key-hint.tsx'
import { classNames } from '../components/display/class-names.ts'
import { prettyJson } from '../diff/pretty-json.ts'
import { datasetText } from '../text/dataset.ts'
import { type CellKind, type EditKind, editKindOf, kindOf, readTyped, typedOf } from './cells.ts'
import type { EditedCell } from './edits.ts'
import css from './grid.module.css'

interface CellEditorProps {
  /** JSON text of the cell; undefined where the row has none. */
  readonly text: string | undefined
  /** What is in the cell already, if it is no value yet. */
  readonly cell: EditedCell | undefined
  /** What the cells of the column hold. */
  readonly columnKind: CellKind
  readonly label: string
  readonly isReadOnly: boolean
  /** Place in the content of the grid, in pixels. */
  readonly at: { readonly left: number; readonly top: number; readonly isAbove: boolean; readonly width: number }
  readonly onKeep: (cell: EditedCell, move: 'down' | 'right' | 'stay') => void
  readonly onLeave: () => void
}

const editKinds: readonly EditKind[] = ['text', 'number', 'boolean', 'json', 'null', 'missing']

/** Edits one cell over its place, as what its column holds; also the way to read it in full. */
export function CellEditor({ text, cell, columnKind, label, isReadOnly, at, onKeep, onLeave }: CellEditorProps) {
  const stored = kindOf(text)
  const [initial] = useState(() => {
    if (cell && 'typed' in cell) return { typed: cell.typed, kind: cell.as }
    const own = editKindOf(stored)
    const kind = own === 'missing' || own === 'null' ? editKindOf(columnKind) : own
    const isEmpty = text === undefined || text === 'null'
    const typed = kind === 'json' && !isEmpty ? prettyJson(text) : typedOf(text)
    return { typed, kind: kind === 'missing' || kind === 'null' ? 'text' : kind, isEmpty }
  })
  const [typed, setTyped] = useState(initial.typed)
  const [kind, setKind] = useState<EditKind>(initial.kind)
  const field = useRef<HTMLTextAreaElement>(null)
  const isDone = useRef(false)
  useLayoutEffect(() => {
    field.current?.focus({ preventScroll: true })
    if (kind !== 'json' && !isReadOnly) field.current?.select()
  }, [])
  const hasNoText = kind === 'null' || kind === 'missing'
  const read = readTyped(typed, kind)
  const isChanged = typed !== initial.typed || kind !== initial.kind
  const keep = (move: 'down' | 'right' | 'stay') => {
    if (isDone.current) return
    isDone.current = true
    if (isReadOnly || !isChanged) onLeave()
    else onKeep('fault' in read ? { typed, as: kind, fault: read.fault } : { json: read.json ?? null }, move)
  }
  const leave = () => {
    isDone.current = true
    onLeave()
  }
  return (
    <div
      class={classNames(css.editor, kind === 'json' && css.wide)}
      role="group"
      aria-label={label}
      style={{
        left: `${at.left}px`,
        ...(at.isAbove ? { bottom: `calc(100% - ${at.top}px)` } : { top: `${at.top}px` }),
        minWidth: `${at.width}px`,
      }}
      onKeyDown={(event) => {
        if (event.isComposing) return
        event.stopPropagation()
        if (event.key === 'Escape') leave()
        else if (event.key === 'Enter' && !event.shiftKey && !event.altKey) keep('down')
        else if (event.key === 'Tab' && !event.shiftKey && event.target === field.current && isReadOnly) leave()
        else return
        event.preventDefault()
      }}
      onBlur={(event) => {
        const next = event.relatedTarget
        if (!(next instanceof Node && event.currentTarget.contains(next))) keep('stay')
      }}
    >
      <textarea
        ref={field}
        class={kind === 'json' ? 'mono' : undefined}
        aria-label={label}
        aria-invalid={'fault' in read && isChanged ? true : undefined}
        rows={1}
        dir={kind === 'text' ? 'auto' : 'ltr'}
        spellcheck={false}
        readOnly={isReadOnly || hasNoText}
        value={hasNoText ? '' : typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      <div class={css.foot}>
        {isReadOnly ? (
          <span>{datasetText.kinds[stored]}</span>
        ) : (
          <select
            aria-label={datasetText.kindOf}
            value={kind}
            onChange={(event) => {
              setKind(editKinds.find((each) => each === event.currentTarget.value) ?? kind)
              field.current?.focus()
            }}
          >
            {editKinds.map((each) => (
              <option key={each} value={each}>
                {datasetText.editKinds[each]}
              </option>
            ))}
          </select>
        )}
        {'fault' in read && isChanged ? (
          <span class={css.wrong} role="alert">
            {read.fault}
          </span>
        ) : (
          !hasNoText && <span>{datasetText.length(typed.length, initial.typed.length)}</span>
        )}
        <span class={css.hints}>
          {!isReadOnly && (
            <span class={css.hint}>
              <KeyHint keys="↵" plain /> {datasetText.keep}
            </span>
          )}
          <span class={css.hint}>
            <KeyHint keys="esc" plain /> {datasetText.leave}
          </span>
        </span>
      </div>
    </div>
  )
}
