import { signal } from '@preact/signals'

/** Counts responses with status 401; the session listens. */
export const signOuts = signal(0)

/** Reports an answer that says that the session has ended. */
export const signedOut = (): void => {
  signOuts.value++
}
