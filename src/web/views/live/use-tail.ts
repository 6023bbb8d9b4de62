import { useEffect, useRef, useState } from 'preact/hooks'
import { type LiveCall, type LiveState, listen } from '../../api/live.ts'
import { showError } from '../../state/undo.ts'
import { recentCalls } from './recent-calls.ts'
import { noRows, type TailRows, withEvents, withHistory } from './tail-rows.ts'

const drawMs = 100

/** Follows the calls of a project. Events are drawn together, at most ten times a second. */
export function useTail(projectId: string, rootsOnly: boolean, isPaused: boolean): Tail {
  const [rows, setRows] = useState<TailRows>(noRows)
  const [state, setState] = useState<LiveState>('connecting')
  const [hasGap, setGap] = useState(false)
  const paused = useRef(isPaused)
  paused.current = isPaused

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
    recentCalls(projectId, rootsOnly, left.signal)
      .then((calls) => setRows((old) => withHistory(old, calls)))
      .catch((error: unknown) => left.signal.aborted || showError(error))
    const stop = listen(
      projectId,
      { trace_roots_only: rootsOnly ? 'true' : undefined },
      {
        call: (_, call) => {
          pending.push(call)
          timer ??= setTimeout(draw, drawMs)
        },
        state: setState,
        gap: () => setGap(true),
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
