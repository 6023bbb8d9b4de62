import { useMemo } from 'preact/hooks'
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
import { MarkableText } from './markable-text.tsx'
import { textLeaves } from './marked-texts.ts'
import type { Span } from './spans.ts'

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
