import { useState } from 'preact/hooks'
import { formatCount } from '../../format/number.ts'
import { Markdown } from '../../markdown/markdown.tsx'
import css from './fold-text.module.css'

/** Longer texts are folded. */
const foldChars = 10_000
/** The visible part of a folded text. */
const shownChars = 1_200

interface FoldTextProps {
  readonly text: string
  readonly showAll: (count: string) => string
  readonly showLess: string
  /** Characters from which the text is folded, where the view wants fewer. */
  readonly foldFrom?: number
}

/** A text as Markdown; a long one is folded. */
export function FoldText({ text, showAll, showLess, foldFrom = foldChars }: FoldTextProps) {
  const [isOpen, setOpen] = useState(false)
  if (text.length <= foldFrom) return <Markdown text={text} />
  return (
    <div>
      {isOpen ? (
        <Markdown text={text} />
      ) : (
        <div class={css.folded}>
          <Markdown text={text.slice(0, shownChars)} />
        </div>
      )}
      <button type="button" class={css.toggle} onClick={() => setOpen(!isOpen)}>
        {isOpen ? showLess : showAll(formatCount(text.length))}
      </button>
    </div>
  )
}
