/** Says, for this tab, when a missing part last made the page reload. */
const reloadedKey = 'tracelake.reloaded'
/** A part that is still missing this soon after a reload will not appear by reloading again. */
const reloadPauseMs = 60_000

/** Reloads the page, unless it was reloaded a moment ago. @returns whether it does */
export function reloadOnce(): boolean {
  try {
    const now = Date.now()
    if (now - Number(sessionStorage.getItem(reloadedKey) ?? 0) < reloadPauseMs) return false
    sessionStorage.setItem(reloadedKey, String(now))
  } catch {
    return false // Without storage, reloading might never end.
  }
  location.reload()
  return true
}
