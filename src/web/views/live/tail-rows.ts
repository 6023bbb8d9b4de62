import type { LiveCall } from '../../api/live.ts'
import { compareTimes } from '../../format/time.ts'

/** Calls that are kept; older ones go. */
export const keptMax = 1_000

/** The visible and the waiting calls of the live tail. */
export interface TailRows {
  /** The newest first. */
  readonly shown: readonly LiveCall[]
  /** Calls that arrived while the tail was paused, the newest first. */
  readonly waiting: readonly LiveCall[]
}

/** Nothing yet. */
export const noRows: TailRows = { shown: [], waiting: [] }

/**
 * Takes in events in their order. A known call is patched in place, so that nothing moves; a new
 * one goes to the top, or waits while the tail is paused.
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

/**
 * Takes in the calls that started last, read when the tail begins or after it was interrupted.
 * Known ones are brought up to date if they have ended; later ones go to the top, or wait, and
 * earlier ones go to the end.
 */
export function withRecent(rows: TailRows, calls: readonly LiveCall[], isPaused: boolean): TailRows {
  const known = new Set([...rows.shown, ...rows.waiting].map(({ id }) => id))
  const newest = rows.waiting[0] ?? rows.shown[0]
  const isLater = (call: LiveCall): boolean =>
    newest !== undefined && compareTimes(call.started_at, newest.started_at) > 0
  const unknown = calls.filter(({ id }) => !known.has(id))
  const ended = calls.filter(({ id, ended_at }) => known.has(id) && ended_at !== null)
  const { shown, waiting } = withEvents(rows, [...ended, ...unknown.filter(isLater).reverse()], isPaused)
  return { shown: [...shown, ...unknown.filter((call) => !isLater(call))].slice(0, keptMax), waiting }
}

/** Whether recent calls reach back to those that are there, so that none is missing between. */
export function reachBack(rows: TailRows, calls: readonly LiveCall[], callsMax: number): boolean {
  const known = new Set([...rows.shown, ...rows.waiting].map(({ id }) => id))
  return known.size === 0 || calls.length < callsMax || calls.some(({ id }) => known.has(id))
}

/** Whether a call has failed, or one inside it has, ended or not. */
export const hasFailed = ({ status, error_inside }: LiveCall): boolean =>
  status === 'error' || status === 'descendant_error' || (status === 'running' && error_inside !== null)

/**
 * Whether a call matches: the words are in its op, name, thread, id or exception, and it has an
 * error if only errors are shown.
 */
export function isAskedFor(call: LiveCall, typed: string, errorsOnly: boolean): boolean {
  if (errorsOnly && !hasFailed(call)) return false
  const text = [call.op_name, call.display_name, call.thread_id, call.id, call.trace_id, call.exception]
    .filter(Boolean)
    .join('\n')
    .toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
