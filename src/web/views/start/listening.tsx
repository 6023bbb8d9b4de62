import { useEffect, useRef, useState } from 'preact/hooks'
import { type LiveCall, type LiveState, listen } from '../../api/live.ts'
import { StatusIcon } from '../../components/display/status-icon.tsx'
import { statusOf } from '../../components/display/statuses.ts'
import { LiveDot } from '../../components/states/live-dot.tsx'
import { formatDuration, formatElapsed } from '../../format/duration.ts'
import { opName } from '../../format/ids.ts'
import { wholeOpName } from '../../format/op-names.ts'
import { formatClock } from '../../format/time.ts'
import { navigate } from '../../state/location.ts'
import { tracePath } from '../../state/paths.ts'
import { showToast } from '../../state/toasts.ts'
import { startText } from '../../text/start.ts'
import css from './listening.module.css'

const shownMax = 5

/** Roots that start or end while the page is open, the newest first. */
function useArrivals(projectId: string, onFirst: ((call: LiveCall) => void) | undefined): Arrivals {
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

const patienceMs = 60_000

/** Waits for traces. The first one of a project opens; others are listed as they come. */
export function Listening({ projectId, isEmpty, url }: { projectId: string; isEmpty: boolean; url: string }) {
  const [isFirst] = useState(isEmpty)
  const openFirst = (call: LiveCall): void => {
    showToast({ kind: 'news', text: startText.arrived })
    navigate(tracePath(projectId, call.trace_id))
  }
  const { arrivals, state } = useArrivals(projectId, isFirst ? openFirst : undefined)
  const waitedMs = useWaited()
  return (
    <div class={css.listening}>
      {arrivals.map((call) => (
        <Arrival key={call.id} projectId={projectId} call={call} />
      ))}
      <div class={css.wait} role="status">
        <LiveDot quiet={state !== 'open'} />
        <span class={css.what}>{isFirst ? startText.waiting : startText.waitingMore}</span>
        <span class={css.since} aria-hidden>
          {state === 'retrying' ? startText.closed : startText.listening(formatElapsed(waitedMs))}
        </span>
      </div>
      <Help isOpen={isFirst && waitedMs > patienceMs} url={url} />
    </div>
  )
}

const Arrival = ({ projectId, call }: { projectId: string; call: LiveCall }) => (
  <a class={css.arrival} href={tracePath(projectId, call.trace_id)}>
    <StatusIcon status={statusOf(call.status)} inList />
    <span class={css.name}>{call.display_name ?? wholeOpName(opName(call.op_name))}</span>
    <span>{call.latency_ms === null ? '' : formatDuration(call.latency_ms)}</span>
    <span>{formatClock(call.started_at)}</span>
    <span class={css.open}>{startText.open}</span>
  </a>
)

const Help = ({ isOpen, url }: { isOpen: boolean; url: string }) => (
  <details class={css.help} open={isOpen}>
    <summary>{startText.nothing}</summary>
    <ul>
      {isOpen && <li>{startText.nothingYet(url)}</li>}
      {!isOpen && <li>{startText.nothingServer(url)}</li>}
      <li>{startText.nothingKey}</li>
      <li>{startText.nothingLog}</li>
    </ul>
  </details>
)

function useWaited(): number {
  const [waited, setWaited] = useState(0)
  useEffect(() => {
    const start = performance.now()
    const timer = setInterval(() => setWaited(performance.now() - start), 1_000)
    return () => clearInterval(timer)
  }, [])
  return waited
}
