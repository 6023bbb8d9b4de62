import type { LiveCall } from '../../api/live.ts'

/** Calls that are kept; older ones go. */
export const keptMax = 1_000

/** What the live tail shows and what waits. */
export interface TailRows {
  /** The newest first. */
  readonly shown: readonly LiveCall[]
  /** Calls that arrived while the tail was paused, the newest first. */
  readonly waiting: readonly LiveCall[]
}

/** Nothing yet. */
export const noRows: TailRows = { shown: [], waiting: [] }

/**
 * Takes in events in their order. A call that is known is patched where it stands, so that nothing
 * moves; a new one goes to the top, or waits while the tail is paused.
 */
export function withEvents(rows: TailRows, events: readonly LiveCall[], isPaused: boolean): TailRows {
  if (events.length === 0) return rows
  const latest = new Map(events.map((call) => [call.id, call]))
  const patch = (calls: readonly LiveCall[]): LiveCall[] =>
    calls.map((call) => {
      const news = latest.get(call.id)
      latest.delete(call.id)
      return news ?? call
    })
  const shown = patch(rows.shown)
  const waiting = patch(rows.waiting)
  const added = [...latest.values()].reverse()
  return isPaused
    ? { shown, waiting: [...added, ...waiting].slice(0, keptMax) }
    : { shown: [...added, ...waiting, ...shown].slice(0, keptMax), waiting: [] }
}

/** Puts calls of before below those that arrived meanwhile. */
export function withHistory({ shown, waiting }: TailRows, calls: readonly LiveCall[]): TailRows {
  const known = new Set([...shown, ...waiting].map(({ id }) => id))
  return { shown: [...shown, ...calls.filter(({ id }) => !known.has(id))].slice(0, keptMax), waiting }
}

/**
 * Whether a call is asked for: words in its op, name, thread, id or exception, and errors only if
 * so.
 */
export function isAskedFor(call: LiveCall, typed: string, errorsOnly: boolean): boolean {
  if (errorsOnly && call.status !== 'error' && call.status !== 'descendant_error') return false
  const text = [call.op_name, call.display_name, call.thread_id, call.id, call.trace_id, call.exception]
    .filter(Boolean)
    .join('\n')
    .toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
