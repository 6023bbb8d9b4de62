import { useEffect, useRef, useState } from 'preact/hooks'
import { type LiveCall, type LiveState, listen } from '../../api/live.ts'

const shownMax = 5

/** Roots that start or end while the page is open, the newest first. */
export function useArrivals(projectId: string, onFirst: ((call: LiveCall) => void) | undefined): Arrivals {
  const [arrivals, setArrivals] = useState<readonly LiveCall[]>([])
  const [state, setState] = useState<LiveState>('connecting')
  const first = useRef(onFirst)
  first.current = onFirst
  useEffect(
    () =>
      listen(
        projectId,
        { trace_roots_only: 'true' },
        {
          call: (_, call) => {
            first.current?.(call)
            first.current = undefined
            setArrivals((old) => [call, ...old.filter(({ id }) => id !== call.id)].slice(0, shownMax))
          },
          state: setState,
        },
      ),
    [projectId],
  )
  return { arrivals, state }
}

interface Arrivals {
  readonly arrivals: readonly LiveCall[]
  readonly state: LiveState
}
