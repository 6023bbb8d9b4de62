import { Pause, Play, Radio, Trash2 } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'
import { postRows } from '../../api/lines.ts'
import { type LiveCall, type LiveState, listen } from '../../api/live.ts'
import { outage } from '../../api/outage.ts'
import { Button, IconButton } from '../../components/controls/button.tsx'
import { Segments } from '../../components/controls/segments.tsx'
import { Banner } from '../../components/states/banner.tsx'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { Page } from '../../page/page.tsx'
import { useKeys } from '../../state/keys.ts'
import { navigate } from '../../state/location.ts'
import { tracePath, viewPath } from '../../state/paths.ts'
import { useProject } from '../../state/project.ts'
import { flag, oneOf, text } from '../../state/search-text.ts'
import { showError } from '../../state/toasts.ts'
import { urlState } from '../../state/url-state.ts'
import { useReturn } from '../../state/use-return.ts'
import { liveText } from '../../text/trace/live.ts'
import { LiveBar } from './live-bar.tsx'
import { LiveRows } from './live-rows.tsx'
import css from './live-view.module.css'
import {
  hasFailed,
  isAskedFor,
  keptMax,
  noRows,
  reachBack,
  type TailRows,
  withEvents,
  withRecent,
} from './tail-rows.ts'

/** How many of them are read. */
const recentMax = 50

type Computed = Pick<LiveCall, 'status' | 'latency_ms' | 'error_inside'>
type Line = Omit<LiveCall, 'project_id' | keyof Computed> & { readonly summary?: { readonly ext?: Partial<Computed> } }

const columns = [
  'id',
  'trace_id',
  'parent_id',
  'thread_id',
  'turn_id',
  'op_name',
  'display_name',
  'ext_user_id',
  'started_at',
  'ended_at',
  'exception',
  'summary',
]

/** The calls that started last, the newest first: what a tail shows before anything happens. */
async function recentCalls(projectId: string, rootsOnly: boolean, signal: AbortSignal): Promise<LiveCall[]> {
  const body = {
    project_id: projectId,
    ...(rootsOnly && { filter: { trace_roots_only: true } }),
    sort_by: [{ field: 'started_at', direction: 'desc' }],
    columns,
    limit: recentMax,
  }
  const lines = await postRows<Line>('/calls/stream_query', body, { signal })
  return lines.map(({ summary, ...line }) => ({
    ...line,
    exception: line.exception ?? null,
    project_id: projectId,
    status: summary?.ext?.status ?? 'running',
    latency_ms: summary?.ext?.latency_ms ?? null,
    error_inside: summary?.ext?.error_inside ?? null,
  }))
}

const drawMs = 100

/** Follows the calls of a project. Events are drawn together, at most ten times a second. */
function useTail(projectId: string, rootsOnly: boolean, isPaused: boolean): Tail {
  const [rows, setRows] = useState<TailRows>(noRows)
  const [state, setState] = useState<LiveState>('connecting')
  const [hasGap, setGap] = useState(false)
  const [isRead, setRead] = useState(false)
  const paused = useRef(isPaused)
  paused.current = isPaused
  const latest = useRef(rows)
  latest.current = rows
  const catchUp = useRef(() => {})
  useReturn(() => catchUp.current())

  useEffect(() => {
    let pending: LiveCall[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const draw = (): void => {
      timer = undefined
      const events = pending
      pending = []
      setRows((old) => withEvents(old, events, paused.current))
    }
    setRows(noRows)
    setRead(false)
    const left = new AbortController()
    catchUp.current = () => {
      recentCalls(projectId, rootsOnly, left.signal)
        .then((calls) => {
          setGap(!reachBack(latest.current, calls, recentMax))
          setRows((old) => withRecent(old, calls, paused.current))
        })
        .then(() => setRead(true))
        .catch((error: unknown) => {
          if (left.signal.aborted || outage.peek()) return
          setGap(true)
          setRead(true)
          showError(error)
        })
    }
    catchUp.current()
    let hasOpened = false
    const stop = listen(
      projectId,
      { trace_roots_only: rootsOnly ? 'true' : undefined },
      {
        call: (_, call) => {
          pending.push(call)
          timer ??= setTimeout(draw, drawMs)
        },
        state: (next) => {
          setState(next)
          if (next !== 'open' || hasOpened) return
          // Calls may have started between reading and listening.
          hasOpened = true
          catchUp.current()
        },
        gap: () => catchUp.current(),
      },
    )
    return () => {
      clearTimeout(timer)
      left.abort()
      stop()
    }
  }, [projectId, rootsOnly])

  return {
    rows,
    state,
    isRead,
    hasGap,
    showWaiting: () => setRows((old) => ({ shown: [...old.waiting, ...old.shown], waiting: [] })),
    clear: () => {
      setRows(noRows)
      setGap(false)
    },
  }
}

interface Tail {
  readonly rows: TailRows
  readonly state: LiveState
  /** Whether the calls that there were before have been read. */
  readonly isRead: boolean
  /** Whether some calls were skipped. */
  readonly hasGap: boolean
  readonly showWaiting: () => void
  readonly clear: () => void
}

const state = urlState({ q: text(), show: oneOf(['traces', 'calls']), errors: flag() })

/** Calls as they start and end. */
export default function LiveView() {
  const projectId = useProject()
  const filter = useRef<HTMLInputElement>(null)
  const { q, show, errors } = state.values.value
  const [isPaused, setPaused] = useState(false)
  const [cursor, setCursor] = useState<string>()
  const tail = useTail(projectId, show === 'traces', isPaused)
  const shown = tail.rows.shown.filter((call) => isAskedFor(call, q, errors))
  const failed = shown.filter(hasFailed).length
  const at = shown.findIndex(({ id }) => id === cursor)
  const move = (step: number) => setCursor(shown[Math.max(0, Math.min(shown.length - 1, at + step))]?.id)
  const pause = (next: boolean): void => {
    setPaused(next)
    if (!next) tail.showWaiting()
  }
  useKeys([
    { keys: 'p', does: liveText.keys.pause, run: () => pause(!isPaused) },
    { keys: 'n', does: liveText.keys.show, run: tail.showWaiting },
    { keys: 'f', does: liveText.filter, run: () => filter.current?.focus() },
    { keys: 'e', does: liveText.errorsOnly, run: () => state.commit({ errors: !errors }) },
    { keys: 'j', does: liveText.keys.next, run: () => move(1) },
    { keys: 'k', does: liveText.keys.previous, run: () => move(at < 0 ? 1 : -1) },
    {
      keys: 'Enter',
      does: liveText.keys.open,
      run: () => shown[at] && navigate(tracePath(projectId, shown[at].trace_id, shown[at].id)),
    },
  ])

  return (
    <Page
      name={liveText.name}
      title={liveText.name}
      tabs={
        <Segments
          label={liveText.show}
          current={show}
          options={[
            { id: 'traces', label: liveText.rootsOnly },
            { id: 'calls', label: liveText.allCalls },
          ]}
          onSelect={(next) => state.commit({ show: next })}
        />
      }
      actions={
        <>
          <Button icon={isPaused ? Play : Pause} hint="P" onClick={() => pause(!isPaused)}>
            {isPaused ? liveText.resume : liveText.pause}
          </Button>
          <IconButton of={Trash2} label={liveText.clear} disabled={shown.length === 0} onClick={tail.clear} />
        </>
      }
      foot={{
        facts: (
          <>
            {tail.isRead && <span>{liveText.facts(shown.length, failed)}</span>}
            {tail.rows.shown.length >= keptMax && <span>{liveText.kept(keptMax)}</span>}
          </>
        ),
        keys: [
          ['P', liveText.hints.pause],
          ['J K', liveText.hints.move],
          ['↵', liveText.hints.open],
          ['E', liveText.hints.errors],
        ],
      }}
      class={css.body}
    >
      <LiveBar
        inputRef={filter}
        typed={q}
        onType={(typed) => state.replace({ q: typed })}
        errorsOnly={errors}
        onErrorsOnly={(next) => state.commit({ errors: next })}
        connection={tail.state}
        isPaused={isPaused}
        waiting={tail.rows.waiting.length}
        onShow={tail.showWaiting}
      />
      {tail.hasGap && <Banner>{liveText.gap}</Banner>}
      {shown.length > 0 ? (
        <LiveRows calls={shown} projectId={projectId} cursor={cursor} onCursor={setCursor} />
      ) : tail.rows.shown.length > 0 ? (
        <EmptyState icon={Radio} title={liveText.noMatch}>
          {liveText.noMatchReason(tail.rows.shown.length)}
        </EmptyState>
      ) : !tail.isRead ? (
        <LoadingRows columns="90px 2fr 1fr 90px" rows={14} height={34} />
      ) : (
        <EmptyState
          icon={Radio}
          title={liveText.empty}
          action={
            <Button kind="primary" onClick={() => navigate(viewPath(projectId, 'start'))}>
              {liveText.send}
            </Button>
          }
        >
          {liveText.emptyReason}
        </EmptyState>
      )}
    </Page>
  )
}
