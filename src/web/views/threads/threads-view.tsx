import { MessageSquare } from 'lucide'
import { useMemo, useRef } from 'preact/hooks'
import { postRows } from '../../api/lines.ts'
import { classNames } from '../../components/display/class-names.ts'
import { FixedRows, type FixedRowsHandle } from '../../components/display/fixed-rows.tsx'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { formatDuration } from '../../format/duration.ts'
import { formatCost, formatCount, formatShort } from '../../format/number.ts'
import { formatWhen } from '../../format/time.ts'
import { Page } from '../../page/page.tsx'
import { useKeys } from '../../state/keys.ts'
import { navigate } from '../../state/location.ts'
import { threadPath } from '../../state/paths.ts'
import { useProject } from '../../state/project.ts'
import { useInfiniteQuery } from '../../state/query-signal.ts'
import { number } from '../../state/search-text.ts'
import { urlState } from '../../state/url-state.ts'
import { useIsPhone } from '../../state/use-media.ts'
import { directionOfPreview } from '../../table/preview-parts.ts'
import { preview } from '../../table/rows/preview.tsx'
import { threadText } from '../../text/trace/thread.ts'
import css from './threads-view.module.css'

const pageRows = 100
/** Rows before the end at which more are read. */
const readAhead = 30
const rowHeight = { wide: 44, phone: 84 }

/** A line of the list of threads; details are there if the server knows them. */
interface ThreadLine {
  readonly thread_id: string
  readonly turn_count: number
  readonly start_time: string
  readonly last_updated: string
  readonly p50_turn_duration_ms: number | null
  readonly first_message?: string | null
  readonly last_message?: string | null
  readonly total_tokens?: number | null
  readonly total_cost?: number | null
  readonly error_count?: number | null
  readonly feedback_count?: number | null
}

const url = urlState({ at: number(0) })

/** Threads of a project, the last active first. */
export default function ThreadsView() {
  const projectId = useProject()
  const isPhone = useIsPhone()
  const list = useRef<FixedRowsHandle>(null)
  const query = useInfiniteQuery({
    queryKey: ['threads', projectId],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      postRows<ThreadLine>(
        '/threads/stream_query',
        {
          project_id: projectId,
          include_details: true,
          sort_by: [{ field: 'last_updated', direction: 'desc' }],
          limit: pageRows,
          offset: pageParam,
        },
        { signal },
      ),
    getNextPageParam: (last: readonly ThreadLine[], pages: readonly (readonly ThreadLine[])[]) =>
      last.length < pageRows ? undefined : pages.length * pageRows,
  })
  const { data } = query
  const threads = useMemo(() => data?.pages.flat() ?? [], [data])
  const { at } = url.values.value
  const go = (to: number) => {
    if (threads.length === 0) return
    const next = Math.min(threads.length, Math.max(1, to))
    url.replace({ at: next })
    list.current?.show(next - 1)
  }
  const open = () => {
    const thread = threads[at - 1]
    if (thread) navigate(threadPath(projectId, thread.thread_id))
  }
  useKeys([
    { keys: 'j', does: threadText.keys.nextThread, run: () => go(at + 1) },
    { keys: 'k', does: threadText.keys.previousThread, run: () => go(at - 1) },
    { keys: 'Enter', does: threadText.keys.openThread, run: (event) => event.target === document.body && open() },
  ])
  return (
    <Page
      name={threadText.threads}
      title={threadText.threads}
      class={css.body}
      foot={{
        facts: data && (
          <span>{threadText.threadsCount(`${formatCount(threads.length)}${query.hasNextPage ? '+' : ''}`)}</span>
        ),
        keys: [
          ['J K', threadText.keys.move],
          ['↵', threadText.keys.openShort],
        ],
      }}
    >
      {query.error && threads.length === 0 ? (
        <ErrorState error={query.error} retry={() => void query.refetch()} />
      ) : query.isPending ? (
        <LoadingRows columns="180px 1fr 1fr 60px 60px 60px 90px" rows={14} height={44} what={threadText.readingList} />
      ) : threads.length === 0 ? (
        <EmptyState icon={MessageSquare} title={threadText.none}>
          {threadText.noneReason}
        </EmptyState>
      ) : (
        <FixedRows
          list={list}
          items={threads}
          rowHeight={isPhone ? rowHeight.phone : rowHeight.wide}
          before={isPhone ? undefined : <Head />}
          onRange={(_, last) => {
            if (last > threads.length - readAhead && query.hasNextPage && !query.isFetchingNextPage) {
              void query.fetchNextPage()
            }
          }}
          render={(thread, index) => (
            <Row key={thread.thread_id} projectId={projectId} thread={thread} isCurrent={index + 1 === at} />
          )}
        />
      )}
    </Page>
  )
}

const Head = () => (
  <div class={css.head} aria-hidden>
    <span>{threadText.name}</span>
    <span>{threadText.firstMessage}</span>
    <span>{threadText.lastMessage}</span>
    <span class={css.number}>{threadText.turns}</span>
    <span class={css.number}>{threadText.p50}</span>
    <span class={css.number}>{threadText.tokens}</span>
    <span class={css.number}>{threadText.cost}</span>
    <span class={css.number}>{threadText.errors}</span>
    <span class={css.number}>{threadText.lastActive}</span>
  </div>
)

interface RowProps {
  readonly projectId: string
  readonly thread: ThreadLine
  readonly isCurrent: boolean
}

function Row({ projectId, thread, isCurrent }: RowProps) {
  const { thread_id: id, error_count: errors, total_cost: cost, total_tokens: tokens } = thread
  return (
    <a class={classNames(css.row, isCurrent && css.current)} href={threadPath(projectId, id)}>
      <span class={css.name} title={id}>
        {id}
      </span>
      <span class={css.first} dir={directionOfPreview(thread.first_message ?? '')}>
        {preview(thread.first_message ?? '')}
      </span>
      <span class={css.last} dir={directionOfPreview(thread.last_message ?? '')}>
        {preview(thread.last_message ?? '')}
      </span>
      <Value label={threadText.turns}>{formatCount(thread.turn_count)}</Value>
      <Value label={threadText.p50}>
        {thread.p50_turn_duration_ms === null ? '' : formatDuration(thread.p50_turn_duration_ms)}
      </Value>
      <Value label={threadText.tokens}>{tokens ? formatShort(tokens) : ''}</Value>
      <Value label={threadText.cost}>{cost == null ? '' : formatCost(cost)}</Value>
      <Value label={threadText.errors} isError={(errors ?? 0) > 0}>
        {errors ? formatCount(errors) : ''}
      </Value>
      <span class={css.when} data-tip-time={thread.last_updated}>
        {formatWhen(thread.last_updated)}
      </span>
    </a>
  )
}

const Value = ({ label, isError = false, children }: { label: string; isError?: boolean; children: string }) => (
  <span class={classNames(css.number, isError && css.error)}>
    <span class="sr-only">{label} </span>
    {children}
  </span>
)
