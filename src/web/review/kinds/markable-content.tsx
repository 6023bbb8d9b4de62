import { useMemo, useState } from 'preact/hooks'
import { Button } from '../../components/controls/button.tsx'
import { Banner } from '../../components/states/banner.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { formatBytes } from '../../format/number.ts'
import { usePayload } from '../../json/use-payload.ts'
import { reviewText } from '../../text/review.ts'
import { reviewFormText } from '../../text/review-form.ts'
import { jsonText } from '../../text/trace/json.ts'
import css from './markable-text.module.css'
import { markedPieces, textLeaves } from './marked-texts.ts'
import type { Span } from './spans.ts'
import { pathAttribute } from './use-selected-text.ts'

interface MarkableContentProps {
  readonly projectId: string
  readonly callId: string
  readonly spans: readonly Span[]
  readonly onMark: (digit: number | undefined) => void
}

/** The texts of a call, to mark passages in. */
export default function MarkableContent(props: MarkableContentProps) {
  return (
    <>
      <MarkablePart {...props} path="inputs" />
      <MarkablePart {...props} path="output" />
    </>
  )
}

function MarkablePart({
  projectId,
  callId,
  path,
  spans,
  onMark,
}: MarkableContentProps & { path: 'inputs' | 'output' }) {
  const payload = usePayload(projectId, callId, path)
  const { text, isWhole, isReading, error } = payload
  const leaves = useMemo(() => (text && isWhole ? textLeaves(path, parsed(text)) : []), [text, isWhole])
  if (error !== undefined && text === undefined) return <ErrorState error={error} retry={payload.retry} />
  if (text === undefined) return <LoadingRows columns="1fr" rows={3} height={64} what={reviewText.readingItem} />
  if (!isWhole)
    return (
      <Banner
        action={
          <Button kind="quiet" size="compact" busy={isReading} onClick={payload.loadAll}>
            {jsonText.loadAll}
          </Button>
        }
      >
        {jsonText.partShown(formatBytes(text.length), formatBytes(payload.characters))}
      </Banner>
    )
  return (
    <>
      {leaves.map((leaf) => (
        <article key={leaf.path} class={css.leaf}>
          <div class={css.head}>
            <span class={css.who}>{leaf.role ?? reviewFormText.parts[path]}</span>
            <span class={css.path}>{leaf.path}</span>
          </div>
          <MarkableText
            path={leaf.path}
            text={leaf.text}
            spans={spans.filter((span) => span.path === leaf.path)}
            onMark={onMark}
          />
        </article>
      ))}
    </>
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

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
function MarkableText({ path, text, spans, onMark }: MarkableTextProps) {
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
