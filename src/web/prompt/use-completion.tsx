import { createContext } from 'preact'
import { useContext, useId, useState } from 'preact/hooks'
import { lazyPart } from '../components/states/lazy-part.tsx'
import { type OpenVariable, openAt, variableText } from './completion.ts'
import type { TemplateFormat } from './prompt.ts'
import css from './prompt-text.module.css'

/** Needed when somebody begins a variable. */
const NameList = lazyPart(() => import('./name-list.tsx'), { loading: () => null, failed: () => null })

/** Names of the variables of the whole prompt, with those that only have a value. */
export const VariableNames = createContext<readonly string[]>([])

interface CompletionOptions {
  readonly format: TemplateFormat
  /** Variables that have a value, such as the columns of the chosen dataset. */
  readonly known: ReadonlySet<string>
  readonly isReadOnly: boolean
}

/** Suggests names while somebody writes a variable into a field. */
export function useCompletion({ format, known, isReadOnly }: CompletionOptions) {
  const id = useId()
  const ofPrompt = useContext(VariableNames)
  const [open, setOpen] = useState<OpenVariable & { readonly top: number }>()
  const [choice, setChoice] = useState(0)
  const names = () => [...new Set([...ofPrompt, ...known])].sort()

  const look = (area: HTMLTextAreaElement): void => {
    const { selectionStart: caret, selectionEnd: end, value } = area
    const found = isReadOnly || caret !== end ? undefined : openAt(value, caret, format, names())
    setOpen(found && { ...found, top: bottomOfLine(area, caret) })
    setChoice(0)
  }
  const accept = (area: HTMLTextAreaElement, name: string): void => {
    if (open === undefined) return
    setOpen(undefined)
    area.focus()
    area.setSelectionRange(open.from, open.to)
    // As if it were typed, so that the browser can undo it.
    if (!document.execCommand('insertText', false, variableText(name, format)))
      area.setRangeText(variableText(name, format), open.from, open.to, 'end')
  }
  const keyDown = (event: KeyboardEvent & { readonly currentTarget: HTMLTextAreaElement }): void => {
    if (open === undefined || event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return
    const count = open.names.length
    const chosen = open.names[choice]
    if (event.key === 'ArrowDown') setChoice((choice + 1) % count)
    else if (event.key === 'ArrowUp') setChoice((choice + count - 1) % count)
    else if (event.key === 'Escape') setOpen(undefined)
    else if ((event.key === 'Enter' || event.key === 'Tab') && chosen !== undefined) accept(event.currentTarget, chosen)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const list = (area: () => HTMLTextAreaElement | null) =>
    open && (
      <div class={css.suggestions} style={{ top: `${open.top}px` }}>
        <NameList
          id={id}
          names={open.names}
          current={choice}
          onChoose={(name) => {
            const field = area()
            if (field) accept(field, name)
          }}
        />
      </div>
    )
  return {
    list,
    field: {
      'aria-autocomplete': 'list',
      'aria-controls': open ? `${id}-list` : undefined,
      'aria-activedescendant': open ? `${id}-${choice}` : undefined,
      onKeyDown: keyDown,
      onKeyUp: (event: KeyboardEvent & { readonly currentTarget: HTMLTextAreaElement }) => {
        if (/^(?:Arrow(?:Left|Right)|Home|End)$/.test(event.key)) look(event.currentTarget)
      },
      onClick: (event: { readonly currentTarget: HTMLTextAreaElement }) => look(event.currentTarget),
      onBlur: () => setOpen(undefined),
    },
    look,
  } as const
}

/** Where the line of the caret ends: below its drawn words, else below the whole field. */
function bottomOfLine(area: HTMLTextAreaElement, caret: number): number {
  const index = area.value.slice(0, caret).split('\n').length - 1
  const line = area.parentElement?.querySelector('[aria-hidden]')?.children[index]
  return line instanceof HTMLElement ? line.offsetTop + line.offsetHeight : area.offsetTop + area.offsetHeight
}
