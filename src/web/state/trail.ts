/** The list a trace was opened from, so that its page can lead to the neighbours and back. */
export interface Trail {
  readonly projectId: string
  /** Ids of traces in the order of the list. */
  readonly traceIds: readonly string[]
  /** Path and search part of the list. */
  readonly from: string
}

const storageKey = 'tracelake.trail'
/** Neighbours that are remembered on both sides together. */
const idsMax = 1_000

/** Remembers the list in this tab; call it when a row is opened. */
export function leaveTrail(trail: Trail): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify({ ...trail, traceIds: trail.traceIds.slice(0, idsMax) }))
  } catch {
    // No storage in a private window: the page then finds neighbours by time.
  }
}

/** The list that a trace was opened from, if it is known. */
export function trailOf(projectId: string, traceId: string): Trail | undefined {
  try {
    const trail: Trail | null = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null')
    if (trail?.projectId === projectId && trail.traceIds.includes(traceId)) return trail
  } catch {
    // Not ours.
  }
  return undefined
}
