import { begunRows } from './begun-rows.ts'

const heldMs = 15 * 60_000
const begun = begunRows()
const anchors = new Map<string, number>(begun && [[begun.projectId, begun.anchorMs]])

/**
 * The time that `last 24 hours` is measured from. It stays while a page is looked at and left and
 * come back to, so that Back finds the same rows; `renewAnchor` moves it to now.
 */
export function timeAnchor(projectId: string): number {
  const now = Date.now()
  const held = anchors.get(projectId)
  if (held !== undefined && now - held < heldMs) return held
  anchors.set(projectId, now)
  return now
}

/** Moves the time that ranges are measured from to now. */
export const renewAnchor = (projectId: string): void => {
  anchors.set(projectId, Date.now())
}
