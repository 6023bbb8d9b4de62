import { ExternalLink } from 'lucide'
import { useState } from 'preact/hooks'
import { post } from '../../api/client.ts'
import { fileUrl } from '../../api/file-url.ts'
import type { CallMessages } from '../../call/messages/messages.ts'
import { KeyHint } from '../../components/controls/key-hint.tsx'
import { Segments } from '../../components/controls/segments.tsx'
import { Icon } from '../../components/display/icon.tsx'
import { lazyPart } from '../../components/states/lazy-part.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { formatDuration } from '../../format/duration.ts'
import { opName } from '../../format/ids.ts'
import { formatMoment } from '../../format/time.ts'
import { FileAddress } from '../../json/file-box.tsx'
import type { Span } from '../../review/kinds/spans.ts'
import type { Item } from '../../review/queues.ts'
import { tracePath } from '../../state/paths.ts'
import { queries, useQuery } from '../../state/query-signal.ts'
import { reviewText } from '../../text/review.ts'
import { reviewFormText } from '../../text/review-form.ts'
import css from './call-content.module.css'

const ChatTab = lazyPart(async () => ({ default: (await import('../../call/tabs/chat-tab.tsx')).ChatTab }))
const IoTab = lazyPart(async () => ({ default: (await import('../../call/tabs/io-tab.tsx')).IoTab }))
const MarkableContent = lazyPart(() => import('../../review/kinds/markable-content.tsx'))

/** Reads the conversation of a call. */
export const messagesQuery = (projectId: string, callId: string) => ({
  queryKey: ['messages', projectId, callId, false],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: ({ signal }: { readonly signal: AbortSignal }): Promise<CallMessages> =>
    post('/call/messages', { project_id: projectId, call_id: callId }, { signal }),
})

/** Reads what an item shows before it is opened. */
export function readAhead(projectId: string, { call_id, compared_call_id }: Item): void {
  for (const id of [call_id, compared_call_id])
    if (id !== undefined) void queries.prefetchQuery(messagesQuery(projectId, id))
}

interface CallContentProps {
  readonly projectId: string
  readonly item: Item
  /** What is marked; undefined where nothing can be. */
  readonly marked: { readonly spans: readonly Span[]; readonly onMark: (digit: number | undefined) => void } | undefined
}

/** What is judged: the conversation of a call, its inputs and output, or its texts to be marked. */
export function CallContent({ projectId, item, marked }: CallContentProps) {
  const [view, setView] = useState<'texts' | 'call'>('texts')
  const ms = item.call_ended_at ? Date.parse(item.call_ended_at) - Date.parse(item.call_started_at) : undefined
  return (
    <FileAddress.Provider value={(digest) => fileUrl(projectId, digest)}>
      <div class={css.facts}>
        <span class="cut" dir="auto">
          {opName(item.call_op_name)}
        </span>
        {ms !== undefined && <span class={css.grey}>{formatDuration(ms)}</span>}
        <span class={css.grey}>{formatMoment(item.call_started_at)}</span>
        <span class={css.end}>
          {marked && (
            <Segments
              label={reviewFormText.content}
              options={[
                { id: 'texts', label: reviewFormText.asText },
                { id: 'call', label: reviewFormText.asCall },
              ]}
              current={view}
              onSelect={setView}
            />
          )}
          <a
            class={css.trace}
            href={tracePath(projectId, item.call_trace_id, item.call_id)}
            target="_blank"
            rel="noopener"
          >
            <Icon of={ExternalLink} size={14} /> {reviewText.trace} <KeyHint keys="O" plain />
          </a>
        </span>
      </div>
      <div class={css.content}>
        {marked && view === 'texts' ? (
          <MarkableContent projectId={projectId} callId={item.call_id} {...marked} />
        ) : (
          <AsInTrace projectId={projectId} callId={item.call_id} />
        )}
      </div>
    </FileAddress.Provider>
  )
}

function AsInTrace({ projectId, callId }: { projectId: string; callId: string }) {
  const chat = useQuery(messagesQuery(projectId, callId))
  if (chat.isPending) return <LoadingRows columns="1fr" rows={6} height={64} what={reviewText.readingItem} />
  return chat.data !== undefined && chat.data.messages.length > 0 ? (
    <ChatTab projectId={projectId} chat={chat.data} skeleton={undefined} row={-1} tokensOut={undefined} />
  ) : (
    <IoTab projectId={projectId} callId={callId} isEnded />
  )
}
