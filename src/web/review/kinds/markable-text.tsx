import { useState } from 'preact/hooks'
import { reviewFormText } from '../../text/review-form.ts'
import css from './markable-text.module.css'
import { markedPieces } from './marked-texts.ts'
import type { Span } from './spans.ts'
import { pathAttribute } from './use-selected-text.ts'

interface MarkableTextProps {
  readonly path: string
  readonly text: string
  readonly spans: readonly Span[]
  /** Marks what is selected: with the label of this number, or the first. */
  readonly onMark: (digit: number | undefined) => void
}

/**
 * A text in which passages are selected and marked, by mouse or by keys: it has a caret as an
 * editor has, and takes no input.
 */
export function MarkableText({ path, text, spans, onMark }: MarkableTextProps) {
  // What an input method leaves behind is drawn anew.
  const [drawn, drawAgain] = useState(0)
  const refuse = (event: Event) => event.preventDefault()
  return (
    <div
      key={drawn}
      class={css.text}
      role="textbox"
      aria-multiline
      aria-readonly
      aria-label={reviewFormText.textAt(path)}
      contentEditable
      inputMode="none"
      spellcheck={false}
      tabIndex={0}
      dir="auto"
      {...{ [pathAttribute]: path }}
      onBeforeInput={refuse}
      onDrop={refuse}
      onCompositionEnd={() => drawAgain(drawn + 1)}
      onKeyDown={(event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return
        if (event.key === 'Escape') event.currentTarget.blur()
        const digit = /^[1-9]$/.test(event.key) ? Number(event.key) : undefined
        if (digit === undefined && event.key.toLowerCase() !== 'h') return
        event.preventDefault()
        onMark(digit)
      }}
    >
      {markedPieces(text, spans).map(({ text: piece, labels }, index) =>
        labels.length === 0 ? (
          piece
        ) : (
          <mark key={index} class={css.mark} title={labels.join(', ')}>
            {piece}
          </mark>
        ),
      )}
    </div>
  )
}
