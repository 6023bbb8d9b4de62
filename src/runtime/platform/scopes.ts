import { AsyncLocalStorage } from 'node:async_hooks'

/** Runs work. */
export type Runner = <T>(work: () => T) => T

/**
 * Lets later work run in the scopes that the current work is in: whether it may wait, where it
 * reports its cost.
 */
export const currentScopes = (): Runner => AsyncLocalStorage.snapshot()
