import { useState } from 'preact/hooks'
import { CopyButton } from '../components/controls/copy-button.tsx'
import { StatusIcon } from '../components/display/status-icon.tsx'
import { lineOfError } from '../format/error.ts'
import { callText } from '../text/trace/call.ts'
import css from './exception-card.module.css'

const shownLines = 6
const messageCharsMax = 2_000

/** Why a call failed: its type and message first, whatever else was recorded below. */
export default function ExceptionCard({ text }: { text: string }) {
  const [isOpen, setOpen] = useState(false)
  const lines = text.trimEnd().split('\n')
  const message = lineOfError(text, messageCharsMax) ?? ''
  const rest = lines[0]?.trim() === message ? lines.slice(1) : lines.length === 1 && message !== '' ? [] : lines
  return (
    <section class={css.card} aria-label={callText.exception}>
      <header class={css.head}>
        <StatusIcon status="error" size={14} />
        <strong class={css.message}>{message}</strong>
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
