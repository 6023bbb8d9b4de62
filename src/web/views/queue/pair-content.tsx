import { ExternalLink } from 'lucide'
import { useMemo } from 'preact/hooks'
import { fileUrl } from '../../api/file-url.ts'
import { MessageView } from '../../call/messages/message-view.tsx'
import { joinResults } from '../../call/messages/messages.ts'
import { useCall } from '../../call/use-call.ts'
import { classNames } from '../../components/display/class-names.ts'
import { Icon } from '../../components/display/icon.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { opName } from '../../format/ids.ts'
import { FileAddress } from '../../json/file-box.tsx'
import { usePayload } from '../../json/use-payload.ts'
import { Markdown } from '../../markdown/markdown.tsx'
import { editedOutput } from '../../review/kinds/edited-output.ts'
import { withoutNames } from '../../review/kinds/preference.ts'
import { tracePath } from '../../state/paths.ts'
import { useQuery } from '../../state/query-signal.ts'
import { reviewText } from '../../text/review.ts'
import { reviewFormText } from '../../text/review-form.ts'
import { callText } from '../../text/trace/call.ts'
import { messagesQuery } from './call-content.tsx'
import css from './pair-content.module.css'

interface PairContentProps {
  readonly projectId: string
  /** In the order in which they are shown. */
  readonly pair: readonly [string, string]
  /** The call that is preferred. */
  readonly preferred: unknown
  /** Whether the reviewer has answered, and may know whose answers they are. */
  readonly isRevealed: boolean
}

/** Two answers to the same beside each other, without the names of what gave them. */
export default function PairContent({ projectId, pair, preferred, isRevealed }: PairContentProps) {
  const [first, second] = pair
  const [left, right] = [usePayload(projectId, first, 'inputs'), usePayload(projectId, second, 'inputs')]
  const isSame = left.text !== undefined && left.text === right.text
  return (
    <FileAddress.Provider value={(digest) => fileUrl(projectId, digest)}>
      <div class={css.content}>
        {isSame && <Part projectId={projectId} callId={first} path="inputs" />}
        <div class={css.pair}>
          {pair.map((callId, index) => (
            <section
              key={callId}
              class={classNames(css.side, preferred === callId && css.chosen)}
              aria-label={reviewFormText.sideOf(index)}
            >
              <h3 class={css.head}>
                {reviewFormText.sideOf(index)}
                {isRevealed && <Names projectId={projectId} callId={callId} />}
              </h3>
              {!isSame && <Part projectId={projectId} callId={callId} path="inputs" />}
              <Part projectId={projectId} callId={callId} path="output" />
            </section>
          ))}
        </div>
        {!isRevealed && <p class={css.hidden}>{reviewFormText.namesHidden}</p>}
      </div>
    </FileAddress.Provider>
  )
}

/** What gave an answer. */
function Names({ projectId, callId }: { projectId: string; callId: string }) {
  const { data } = useCall(projectId, callId, false)
  const chat = useQuery(messagesQuery(projectId, callId))
  if (!data) return null
  return (
    <>
      <span class="cut" dir="auto">
        {opName(data.op_name)}
        {chat.data?.model && `, ${chat.data.model}`}
      </span>
      <a class={css.trace} href={tracePath(projectId, data.trace_id, callId)} target="_blank" rel="noopener">
        <Icon of={ExternalLink} size={14} /> {reviewText.trace}
      </a>
    </>
  )
}

/** The messages of one part of a call, or its value. */
function Part({ projectId, callId, path }: { projectId: string; callId: string; path: 'inputs' | 'output' }) {
  const chat = useQuery(messagesQuery(projectId, callId))
  const messages = joinResults(chat.data?.messages ?? []).filter(({ source }) => source === path)
  if (chat.isPending) return <LoadingRows columns="1fr" rows={3} height={64} what={reviewText.readingItem} />
  if (messages.length === 0) return <Value projectId={projectId} callId={callId} path={path} />
  return (
    <>
      {messages.map((message, index) => (
        <MessageView key={index} projectId={projectId} message={message} isOutput={false} />
      ))}
    </>
  )
}

function Value({ projectId, callId, path }: { projectId: string; callId: string; path: 'inputs' | 'output' }) {
  const { text, isWhole } = usePayload(projectId, callId, path)
  const shown = useMemo(() => {
    if (!text) return ''
    return editedOutput(isWhole ? withoutNames(text) : text).text
  }, [text, isWhole])
  if (text === undefined) return <LoadingRows columns="1fr" rows={3} height={64} what={reviewText.readingItem} />
  return (
    <div class={css.value}>
      {path === 'inputs' && <h4 class={css.label}>{callText.inputs}</h4>}
      {text.startsWith('"') ? <Markdown text={shown} /> : <pre class={css.json}>{shown}</pre>}
    </div>
  )
}
