import { useEffect, useRef, useState } from 'preact/hooks'
import { postRows } from '../../api/lines.ts'
import { type LiveCall, type LiveState, listen } from '../../api/live.ts'
import { outage } from '../../api/outage.ts'
import { showError } from '../../state/undo.ts'
import { useReturn } from '../../state/use-return.ts'
import { noRows, reachBack, type TailRows, withEvents, withRecent } from './tail-rows.ts'

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
export function useTail(projectId: string, rootsOnly: boolean, isPaused: boolean): Tail {
  const [rows, setRows] = useState<TailRows>(noRows)
  const [state, setState] = useState<LiveState>('connecting')
  const [hasGap, setGap] = useState(false)
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
    const left = new AbortController()
    catchUp.current = () => {
      recentCalls(projectId, rootsOnly, left.signal)
        .then((calls) => {
          setGap(!reachBack(latest.current, calls, recentMax))
          setRows((old) => withRecent(old, calls, paused.current))
        })
        .catch((error: unknown) => left.signal.aborted || outage.peek() || showError(error))
    }
    catchUp.current()
    const stop = listen(
      projectId,
      { trace_roots_only: rootsOnly ? 'true' : undefined },
      {
        call: (_, call) => {
          pending.push(call)
          timer ??= setTimeout(draw, drawMs)
        },
        state: setState,
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
  /** Whether some calls were skipped. */
  readonly hasGap: boolean
  readonly showWaiting: () => void
  readonly clear: () => void
}
