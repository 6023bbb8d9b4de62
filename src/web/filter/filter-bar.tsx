import { Code, Search, X } from 'lucide'
import type { RefObject } from 'preact'
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import { IconButton } from '../components/controls/button.tsx'
import { KeyHint } from '../components/controls/key-hint.tsx'
import { type Suggestion, Suggestions } from '../components/controls/suggestions.tsx'
import { classNames } from '../components/display/class-names.ts'
import { Icon } from '../components/display/icon.tsx'
import { filterText } from '../text/filter.ts'
import { chipWords } from './condition-words.ts'
import { allOf, partsOf } from './expression.ts'
import css from './filter-bar.module.css'
import { readFilter } from './filter-text.ts'
import { formatFilter } from './format-filter.ts'

/**
 * A filter as chips with a field for one more condition, or as one text. Both are the same filter;
 * what is typed counts when Enter is pressed.
 */
export function FilterBar({ text, onCommit, suggest, inputRef }: FilterBarProps) {
  const { node, error } = useMemo(() => readFilter(text), [text])
  const [isText, setText] = useState(error !== undefined)
  const [draft, setDraft] = useState(error === undefined ? '' : text)
  const [fault, setFault] = useState(error?.message)
  const [choice, setChoice] = useState(-1)
  const [isOpen, setOpen] = useState(false)
  const [suggestions, setSuggestions] = useState<readonly Suggestion[]>([])
  const id = useId()
  const own = useRef<HTMLInputElement>(null)
  const input = inputRef ?? own
  const parts = error === undefined ? partsOf(node) : []
  /** Text of a chip on its way from the address into the field. */
  const taken = useRef<string | undefined>(undefined)

  // The address may change without this bar: Back, a facet, a saved view.
  const [known, setKnown] = useState(text)
  if (known !== text) {
    setKnown(text)
    setDraft(isText || error !== undefined ? text : (taken.current ?? ''))
    taken.current = undefined
    setText(isText || error !== undefined)
    setFault(error?.message)
  }

  useEffect(() => {
    if (!isOpen) return
    const abort = new AbortController()
    suggest(draft, abort.signal)
      .then((found) => {
        if (abort.signal.aborted) return
        setSuggestions(found)
        setChoice(-1)
      })
      .catch(() => abort.signal.aborted || setSuggestions([]))
    return () => abort.abort()
  }, [draft, isOpen])

  const commit = (): void => {
    const read = readFilter(draft)
    if (read.error) {
      setFault(read.error.message)
      return
    }
    const next = isText ? read.node : allOf([...parts, ...partsOf(read.node)])
    setFault(undefined)
    setOpen(false)
    if (!isText) setDraft('')
    onCommit(formatFilter(next))
  }

  const type = (value: string): void => {
    setDraft(value)
    setOpen(true)
    setFault(undefined)
  }

  const accept = (suggestion: Suggestion): void => {
    type(draft.slice(0, suggestion.from) + suggestion.text)
    input.current?.focus()
  }

  /** Takes a chip back into the field. */
  const edit = (index: number): void => {
    const part = parts[index]
    if (!part) return
    taken.current = formatFilter(part)
    onCommit(formatFilter(allOf(parts.filter((_, at) => at !== index))))
    input.current?.focus()
  }

  const pressed = (event: KeyboardEvent): void => {
    const shown = isOpen ? suggestions.length : 0
    const isEmpty = draft === '' && !isText
    const chosen = shown > 0 ? suggestions[choice] : undefined
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp':
        if (!isOpen) setOpen(true)
        else if (shown > 0)
          setChoice(
            ((choice < 0 && event.key === 'ArrowUp' ? 0 : choice) + (event.key === 'ArrowDown' ? 1 : -1) + shown) %
              shown,
          )
        break
      case 'Tab':
        if (!chosen) return
        accept(chosen)
        break
      case 'Enter':
        if (chosen) accept(chosen)
        else commit()
        break
      case 'Escape':
        if (isOpen && shown > 0) setOpen(false)
        else if (draft !== '' && !isText) setDraft('')
        else input.current?.blur()
        setFault(undefined)
        break
      case 'Backspace':
        if (!isEmpty || parts.length === 0) return
        edit(parts.length - 1)
        break
      default:
        return
    }
    event.preventDefault()
  }

  const toggleText = (): void => {
    setText(!isText)
    setDraft(isText ? '' : text)
    setFault(undefined)
    input.current?.focus()
  }

  return (
    <div class={css.outer} role="search">
      <div
        class={classNames(css.bar, fault !== undefined && css.faulty)}
        onClick={(event) => event.target === event.currentTarget && input.current?.focus()}
      >
        <span class={css.lens}>
          <Icon of={Search} size={14} />
        </span>
        {!isText &&
          parts.map((part, index) => {
            const words = chipWords(part)
            const said = [words.field, words.comparator, words.value].filter(Boolean).join(' ')
            return (
              <span key={`${index}-${said}`} class={css.chip}>
                <button type="button" class={css.words} data-tip={filterText.edit} onClick={() => edit(index)}>
                  {words.field && <span>{words.field}</span>}{' '}
                  {words.comparator && <span class={css.comparator}>{words.comparator}</span>}{' '}
                  <span class={css.value}>{words.value}</span>
                </button>
                <button
                  type="button"
                  class={css.cross}
                  aria-label={filterText.remove(said)}
                  onClick={() => onCommit(formatFilter(allOf(parts.filter((_, at) => at !== index))))}
                >
                  <Icon of={X} size={12} />
                </button>
              </span>
            )
          })}
        <input
          ref={input}
          class={classNames(css.input, isText && css.text)}
          role="combobox"
          aria-label={filterText.label}
          aria-expanded={isOpen && suggestions.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={isOpen && choice >= 0 ? `${id}-${choice}` : undefined}
          aria-invalid={fault !== undefined || undefined}
          aria-describedby={fault === undefined ? undefined : `${id}-fault`}
          placeholder={parts.length === 0 || isText ? filterText.placeholder : ''}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          value={draft}
          onInput={(event) => type(event.currentTarget.value)}
          onKeyDown={pressed}
          onFocus={() => setOpen(true)}
          onBlur={() => setOpen(false)}
        />
        {(text !== '' || isText) && (
          <>
            <IconButton
              of={Code}
              label={isText ? filterText.asChips : filterText.asText}
              size="compact"
              iconSize={14}
              pressed={isText}
              class={css.mode}
              onClick={toggleText}
            />
            <IconButton
              of={X}
              label={filterText.clear}
              size="compact"
              iconSize={14}
              onClick={() => {
                setDraft('')
                setText(false)
                setFault(undefined)
                onCommit('')
              }}
            />
          </>
        )}
        <KeyHint keys="F" />
      </div>
      {fault !== undefined && (
        <div id={`${id}-fault`} class={css.fault} role="alert">
          {fault}
        </div>
      )}
      {isOpen && suggestions.length > 0 && (
        <Suggestions id={id} label={filterText.suggestions} items={suggestions} current={choice} onChoose={accept} />
      )}
    </div>
  )
}

interface FilterBarProps {
  /** The filter in the address. */
  readonly text: string
  readonly onCommit: (text: string) => void
  /** Possible continuations of a draft. */
  readonly suggest: (draft: string, signal: AbortSignal) => Promise<readonly Suggestion[]>
  readonly inputRef?: RefObject<HTMLInputElement | null>
}
