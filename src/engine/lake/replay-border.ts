import type { Transaction } from '../delta/actions.ts'
import type { DeltaState } from '../delta/delta-state.ts'

/**
 * Application id under which the Delta log of a table records the number through which the log of
 * objects is in it.
 */
export const logApplication = 'tracelake/log'

/**
 * The action that moves the border. Rule 3 of docs/decisions/276-a-log-of-objects.md: it belongs to
 * the commit that adds the rows, so that there is no moment at which one is there without the
 * other.
 */
export const borderAction = (number: number, nowMs: number): Transaction => ({
  txn: { appId: logApplication, version: number, lastUpdated: nowMs },
})

/**
 * The number through which the log is in all of these tables; 0 if it is in none. A commit with a
 * border that the table has already must be given up: another writer has stored these rows.
 */
export const replayBorder = (states: readonly Pick<DeltaState, 'transaction'>[]): number =>
  Math.min(...states.map((state) => state.transaction(logApplication) ?? 0))
