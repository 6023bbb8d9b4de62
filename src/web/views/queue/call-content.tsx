import { ExternalLink } from 'lucide'
import { post } from '../../api/client.ts'
import { fileUrl } from '../../api/file-url.ts'
import type { CallMessages } from '../../call/messages/messages.ts'
import { ChatTab } from '../../call/tabs/chat-tab.tsx'
import { IoTab } from '../../call/tabs/io-tab.tsx'
import { KeyHint } from '../../components/controls/key-hint.tsx'
import { Icon } from '../../components/display/icon.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { opName } from '../../format/ids.ts'
import { formatMoment } from '../../format/time.ts'
import { FileAddress } from '../../json/file-box.tsx'
import type { Item } from '../../review/queues.ts'
import { tracePath } from '../../state/paths.ts'
import { queries, useQuery } from '../../state/query-signal.ts'
import { reviewText } from '../../text/review.ts'
import css from './call-content.module.css'

const messagesQuery = (projectId: string, callId: string) => ({
  queryKey: ['messages', projectId, callId, false],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: ({ signal }: { readonly signal: AbortSignal }): Promise<CallMessages> =>
    post('/call/messages', { project_id: projectId, call_id: callId }, { signal }),
})

/** Reads what an item shows before it is opened. */
export const readAhead = (projectId: string, { call_id }: Item): void =>
  void queries.prefetchQuery(messagesQuery(projectId, call_id))

/** What is judged: the conversation of a call, or its inputs and output. */
export function CallContent({ projectId, item }: { projectId: string; item: Item }) {
  const chat = useQuery(messagesQuery(projectId, item.call_id))
  const hasChat = (chat.data?.messages.length ?? 0) > 0
  return (
    <FileAddress.Provider value={(digest) => fileUrl(projectId, digest)}>
      <div class={css.facts}>
        <span class="cut" dir="auto">
          {opName(item.call_op_name)}
        </span>
        <span class={css.grey}>{formatMoment(item.call_started_at)}</span>
        <a
          class={css.trace}
          href={tracePath(projectId, item.call_trace_id, item.call_id)}
          target="_blank"
          rel="noopener"
        >
          <Icon of={ExternalLink} size={14} /> {reviewText.trace} <KeyHint keys="O" plain />
        </a>
      </div>
      <div class={css.content}>
        {chat.isPending ? (
          <LoadingRows columns="1fr" rows={6} height={64} what={reviewText.readingItem} />
        ) : hasChat && chat.data ? (
          <ChatTab projectId={projectId} chat={chat.data} skeleton={undefined} row={-1} tokensOut={undefined} />
        ) : (
          <IoTab projectId={projectId} callId={item.call_id} isEnded />
        )}
      </div>
    </FileAddress.Provider>
  )
}
