import { apiUrl } from './api-request.ts'
import { probeServer } from './outage.ts'

/** A call in the live tail: its small members. */
export interface LiveCall {
  readonly id: string
  readonly project_id: string
  readonly trace_id: string
  readonly parent_id: string | null
  readonly thread_id: string | null
  readonly turn_id: string | null
  readonly op_name: string
  readonly display_name: string | null
  readonly ext_user_id: string | null
  readonly started_at: string
  readonly ended_at: string | null
  readonly status: string
  readonly latency_ms: number | null
  readonly exception: string | null
  readonly error_inside: { readonly error: string } | null
}

/** State of the connection; `retrying` resumes by itself, `stopped` does not. */
export type LiveState = 'connecting' | 'open' | 'retrying' | 'stopped'

interface LiveListener {
  readonly call: (kind: 'start' | 'end', call: LiveCall) => void
  readonly state?: (state: LiveState) => void
  /** Some events were skipped: what is shown must be read again. */
  readonly gap?: () => void
}

const retryMs = 4_000

/**
 * Listens to calls of a project as they start and end. The browser resumes a broken connection
 * where it was; a connection that the server closed is opened again from the last event seen.
 * @param filter members of the query of `/calls/live` beside `project_id`
 * @returns ends it
 */
export function listen(
  projectId: string,
  filter: Readonly<Record<string, string | undefined>>,
  listener: LiveListener,
): () => void {
  const parameters = new URLSearchParams({ project_id: projectId })
  for (const [name, value] of Object.entries(filter)) if (value !== undefined) parameters.set(name, value)
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const open = (): void => {
    listener.state?.('connecting')
    source = new EventSource(apiUrl(`/calls/live?${parameters}`))
    source.onopen = () => listener.state?.('open')
    source.onerror = () => {
      void probeServer()
      listener.state?.('retrying')
      // A refused request ends an EventSource for good.
      if (source?.readyState === EventSource.CLOSED) later()
    }
    for (const kind of ['start', 'end'] as const) {
      source.addEventListener(kind, ({ data }: MessageEvent<string>) => listener.call(kind, JSON.parse(data)))
    }
    for (const kind of ['gap', 'reset']) source.addEventListener(kind, () => listener.gap?.())
  }

  const later = (): void => {
    source?.close()
    clearTimeout(timer)
    timer = setTimeout(() => {
      // A new EventSource has no last event, so the listener reads the calls again.
      listener.gap?.()
      open()
    }, retryMs)
  }

  open()
  return () => {
    clearTimeout(timer)
    source?.close()
    listener.state?.('stopped')
  }
}
