import { useState } from 'preact/hooks'
import { CopyButton } from '../parts/copy-button.tsx'
import { StatusIcon } from '../parts/status-icon.tsx'
import { callText } from '../text/call.ts'
import css from './exception-card.module.css'

const shownLines = 6

/** Why a call failed: the last line of a traceback first, as that says it. */
export function ExceptionCard({ text }: { text: string }) {
  const [isOpen, setOpen] = useState(false)
  const lines = text.trimEnd().split('\n')
  const isTraceback = /^Traceback/.test(lines[0] ?? '')
  const message = isTraceback ? (lines.at(-1) ?? '') : (lines[0] ?? '')
  const rest = isTraceback ? lines : lines.slice(1)
  return (
    <section class={css.card} aria-label={callText.exception}>
      <header class={css.head}>
        <StatusIcon status="error" size={14} />
        <strong class={css.message}>{message.slice(0, 2_000)}</strong>
        <CopyButton text={text} />
      </header>
      {rest.length > 0 && (
        <>
          <pre class={css.trace}>{(isOpen ? rest : rest.slice(-shownLines)).join('\n').slice(0, 200_000)}</pre>
          {rest.length > shownLines && (
            <button type="button" class={css.toggle} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {isOpen ? callText.showLess : callText.lines(rest.length)}
            </button>
          )}
        </>
      )}
    </section>
  )
}
