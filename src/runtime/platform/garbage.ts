/** Collects garbage at once, on a runtime that lets programs ask for it. */
export function collectGarbage(): void {
  if (typeof Bun !== 'undefined') Bun.gc(true)
}
