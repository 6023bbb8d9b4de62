import { useEffect, useState } from 'preact/hooks'
import { Button } from '../../components/controls/button.tsx'
import { Segments } from '../../components/controls/segments.tsx'
import { Banner } from '../../components/states/banner.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { formatBytes } from '../../format/number.ts'
import { LazyJsonView } from '../../json/lazy-json-view.tsx'
import { stringText } from '../../json/string-text.ts'
import { type Payload, usePayload } from '../../json/use-payload.ts'
import { looksLikeMarkdown, Markdown } from '../../markdown/markdown.tsx'
import { callText } from '../../text/trace/call.ts'
import { jsonText } from '../../text/trace/json.ts'
import css from './payload-tab.module.css'

interface PayloadTabProps {
  readonly projectId: string
  readonly callId: string
  readonly path: string
  readonly name: string
  readonly isEnded: boolean
  readonly maxHeight?: number
  /** With its name above, where no tab says it. */
  readonly isTitled?: boolean
}

/** A value of a call: its first part at once, the rest on demand. */
export function PayloadTab({ projectId, callId, path, name, isEnded, maxHeight, isTitled = false }: PayloadTabProps) {
  const payload = usePayload(projectId, callId, path, isEnded)
  // Beside the value, not after it. What fails is shown where the value would be.
  useEffect(() => {
    LazyJsonView.load().catch(() => {})
  }, [])
  const { text, error, isReading, retry } = payload
  if (error !== undefined && text === undefined) return <ErrorState error={error} retry={retry} />
  if (text === undefined) return <LoadingRows columns="40px 1fr" rows={6} height={20} what={jsonText.reading} />
  if (text === '' || (text === 'null' && path === 'output')) {
    return (
      <>
        {isTitled && <h3 class={css.title}>{name}</h3>}
        <p class={css.nothing}>{isEnded || path !== 'output' ? jsonText.empty : callText.outputWait}</p>
      </>
    )
  }
  return (
    <div class={css.payload}>
      {!payload.isWhole && (
        <Banner
          tone={error === undefined ? 'warn' : 'error'}
          action={
            <Button kind="quiet" size="compact" busy={isReading} onClick={payload.loadAll}>
              {jsonText.loadAll}
            </Button>
          }
        >
          {error instanceof Error
            ? error.message
            : jsonText.partShown(formatBytes(text.length), formatBytes(payload.characters))}
        </Banner>
      )}
      <Value payload={payload} text={text} name={name} maxHeight={maxHeight} isTitled={isTitled} />
    </div>
  )
}

/** A value that is one text is shown as that text; the JSON is one press away. */
function Value({ payload, text, name, maxHeight, isTitled }: ValueProps) {
  const isText = text.startsWith('"') && payload.isWhole
  const [mode, setMode] = useState<'text' | 'json'>('text')
  const shared = maxHeight === undefined ? {} : { maxHeight }
  if (!isText || text.length < 3) return <LazyJsonView text={text} name={name} isTitled={isTitled} {...shared} />
  const plain = stringText(text, 0, text.length)
  if (!plain.includes('\n') && !looksLikeMarkdown(plain)) {
    return (
      <>
        {isTitled && <h3 class={css.title}>{name}</h3>}
        <div class={css.text}>{plain}</div>
      </>
    )
  }
  return (
    <>
      <div class={css.modes}>
        {isTitled && <h3 class={css.title}>{name}</h3>}
        <Segments
          options={[
            { id: 'text', label: callText.rendered },
            { id: 'json', label: callText.json },
          ]}
          current={mode}
          onSelect={setMode}
          label={name}
        />
      </div>
      {mode === 'json' ? (
        <LazyJsonView text={text} name={name} {...shared} />
      ) : (
        <div class={css.text} style={shared}>
          <Markdown text={plain} />
        </div>
      )}
    </>
  )
}

interface ValueProps {
  readonly payload: Payload
  readonly text: string
  readonly name: string
  readonly maxHeight: number | undefined
  readonly isTitled: boolean
}
