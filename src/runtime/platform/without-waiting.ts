import { AsyncLocalStorage } from 'node:async_hooks'

/** Work would have to wait for data from elsewhere, and was told not to. */
export class NotAtHand extends Error {
  constructor() {
    super('The data has to be fetched first')
  }
}

const scopes = new AsyncLocalStorage<'waits' | 'does not wait' | 'ahead' | undefined>()

/** Runs work, and everything it starts, that fails instead of waiting, unless `waiting` has it. */
export const withoutWaiting = <T>(work: () => T): T =>
  scopes.getStore() === 'waits' ? work() : scopes.run('does not wait', work)

/** Runs work that waits for what it needs, whatever is inside. */
export const waiting = <T>(work: () => T): T => scopes.run('waits', work)

/** Work for a queue that others run, who may or may not wait: it waits as the caller does. */
export function inSameScope<T>(work: () => T): () => T {
  const scope = scopes.getStore()
  return () => scopes.run(scope, work)
}

/** Whether the current work waits, whatever is inside. */
export const isWaiting = (): boolean => scopes.getStore() === 'waits'

/** Whether the current work may wait. */
export const mayWait = (): boolean => scopes.getStore() !== 'does not wait'

/** Runs work that fetches what may be needed later. */
export const fetchingAhead = <T>(work: () => T): T => scopes.run('ahead', work)

export const isAhead = (): boolean => scopes.getStore() === 'ahead'

/**
 * Called before a wait, also one that others have begun: these must not fail with this work.
 *
 * @throws NotAtHand if the current work must not wait
 */
export function refuseToWait(): void {
  if (!mayWait()) throw new NotAtHand()
}
