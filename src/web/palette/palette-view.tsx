import { Search } from 'lucide'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { KeyHint } from '../components/controls/key-hint.tsx'
import { classNames } from '../components/display/class-names.ts'
import { Icon } from '../components/display/icon.tsx'
import { LiveDot } from '../components/states/live-dot.tsx'
import { palette } from '../state/palette.ts'
import { paletteText } from '../text/palette.ts'
import type { PaletteEntry } from './entry.ts'
import css from './palette-view.module.css'
import { useEntries } from './use-entries.ts'

/** A text with the first hit of what was typed in bold. */
function Marked({ text, typed }: { text: string; typed: string }) {
  const word = typed.trim().split(/\s+/)[0] ?? ''
  const at = word === '' ? -1 : text.toLowerCase().indexOf(word.toLowerCase())
  if (at < 0) return <>{text}</>
  return (
    <>
      {text.slice(0, at)}
      <b style={{ fontWeight: 600 }}>{text.slice(at, at + word.length)}</b>
      {text.slice(at + word.length)}
    </>
  )
}

/** Finds a view, a project, an op, an action, or whatever has the id that was pasted. */
export default function PaletteView({ projectId }: { projectId: string | undefined }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const id = useId()
  const onlyProjects = palette.value === 'projects'
  const { entries, sought, searched } = useEntries(typed.trim(), projectId, onlyProjects)
  const current = entries[Math.min(at, entries.length - 1)]
  const close = (): void => {
    palette.value = undefined
  }
  useLayoutEffect(() => {
    dialog.current?.showModal()
  }, [])
  useLayoutEffect(() => {
    dialog.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [current?.id])

  const choose = (entry: PaletteEntry | undefined): void => {
    if (!entry) return
    close()
    entry.run()
  }
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && entries.length > 0)
      setAt((Math.min(at, entries.length - 1) + step + entries.length) % entries.length)
    else if (event.key === 'Enter') choose(current)
    else return
    event.preventDefault()
  }
  return (
    <dialog
      ref={dialog}
      class={css.palette}
      aria-label={paletteText.label}
      onClose={close}
      onMouseDown={(event) => event.target === dialog.current && close()}
    >
      <div class={css.field}>
        <Icon of={Search} />
        <input
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={current && `${id}-${current.id}`}
          aria-label={paletteText.label}
          autocomplete="off"
          spellcheck={false}
          placeholder={onlyProjects ? paletteText.projectPlaceholder : paletteText.placeholder}
          value={typed}
          onInput={(event) => {
            setTyped(event.currentTarget.value)
            setAt(0)
          }}
          onKeyDown={press}
        />
        <KeyHint keys="esc" />
      </div>
      <div id={id} role="listbox" aria-label={paletteText.label} class={css.list}>
        {entries.map((entry, index) => (
          <Entry
            key={entry.id}
            id={`${id}-${entry.id}`}
            entry={entry}
            typed={typed}
            heads={entries[index - 1]?.group !== entry.group}
            isCurrent={entry === current}
            onPoint={() => setAt(index)}
            onChoose={() => choose(entry)}
          />
        ))}
      </div>
      {entries.length === 0 && typed !== '' && (
        <p class={css.nothing} role="status">
          {sought?.isSeeking && <LiveDot />}
          {sought === undefined ? paletteText.nothing(typed) : wordsOf(sought)}
        </p>
      )}
      {searched && <p class={css.searched}>{searched}</p>}
    </dialog>
  )
}

const wordsOf = ({ id, where, isSeeking, error }: NonNullable<ReturnType<typeof useEntries>['sought']>): string =>
  isSeeking ? paletteText.lookingFor(id, where) : (error?.message ?? paletteText.noCall(id, where))

function Entry({ id, entry, typed, heads, isCurrent, onPoint, onChoose }: EntryProps) {
  return (
    <>
      {heads && (
        <div role="presentation" class={css.group}>
          {entry.group}
        </div>
      )}
      <div
        id={id}
        role="option"
        aria-selected={isCurrent}
        tabIndex={-1}
        class={classNames(css.entry, isCurrent && css.current)}
        onMouseMove={() => !isCurrent && onPoint()}
        onClick={onChoose}
      >
        <Icon of={entry.icon} />
        <span class="cut">
          <Marked text={entry.label} typed={typed} />
        </span>
        {entry.detail && <span class={css.detail}>{entry.detail}</span>}
      </div>
    </>
  )
}

interface EntryProps {
  readonly id: string
  readonly entry: PaletteEntry
  readonly typed: string
  readonly heads: boolean
  readonly isCurrent: boolean
  readonly onPoint: () => void
  readonly onChoose: () => void
}
