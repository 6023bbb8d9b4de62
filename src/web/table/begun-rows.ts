import { memberOf } from '../../lib/present.ts'
import { acceptLines, apiUrl, jsonPost } from '../api/api-request.ts'
import { storedPreferences } from '../state/stored-preferences.ts'
import { type CallsQuery, pageBody, rowsPath } from './calls-request.ts'
import { askForCost, costPreference } from './read-cost.ts'

/**
 * The first rows of a table, asked for by a script of their own before those of the page are there:
 * docs/decisions/315-rows-before-scripts.md.
 */
interface BegunRows {
  readonly projectId: string
  /** The time that `last 24 hours` is measured from in the request. */
  readonly anchorMs: number
  /** When it was sent, in milliseconds since the page was opened. */
  readonly startMs: number
  readonly body: string
  readonly asksForCost: boolean
  readonly answer: Promise<Response>
  readonly stop: () => void
}

declare global {
  /** The two scripts have no modules in common. */
  var tracelakeBegunRows: BegunRows | undefined
}

/** Asks for the first rows of a query. */
export function beginRows(query: CallsQuery, anchorMs: number): void {
  const abort = new AbortController()
  const asksForCost = memberOf(storedPreferences()['remembered'], costPreference) === true
  const request = jsonPost(pageBody(query, undefined, 0), { ...acceptLines, ...(asksForCost && askForCost) })
  const answer = fetch(apiUrl(rowsPath), { ...request, credentials: 'same-origin', signal: abort.signal })
  // Where it is taken, the table says so.
  answer.catch(() => {})
  globalThis.tracelakeBegunRows = {
    projectId: query.projectId,
    anchorMs,
    startMs: performance.now(),
    body: request.body,
    asksForCost,
    answer,
    stop: () => abort.abort(),
  }
}

/** Scripts that are later than this had failed to load: by then there may be other rows. */
const heldMs = 60_000
let isOver = false

/** The rows that were begun, until a table asks for rows. */
export const begunRows = (): BegunRows | undefined => (isOver ? undefined : globalThis.tracelakeBegunRows)

/** The begun rows if they are what a table asks for first. `signal` stops reading them. */
export function takeBegunRows(body: string, asksForCost: boolean, signal: AbortSignal): BegunRows | undefined {
  const begun = begunRows()
  isOver = true
  if (begun === undefined) return undefined
  const isSame = begun.body === body && begun.asksForCost === asksForCost
  if (!isSame || performance.now() - begun.startMs > heldMs) {
    begun.stop()
    return undefined
  }
  signal.addEventListener('abort', begun.stop)
  return begun
}
