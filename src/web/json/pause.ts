/** Milliseconds of work after which a long task lets the page breathe. */
export const workMs = 12

/** Lets the page handle input and paint. */
export function pause(): Promise<void> {
  const scheduler = (globalThis as { scheduler?: { yield?(): Promise<void> } }).scheduler
  return scheduler?.yield ? scheduler.yield() : new Promise((resolve) => setTimeout(resolve))
}
