import type { ComponentType } from 'preact'
import { lazy } from 'preact-iso'

/** Says, for this tab, when a missing part last made the page reload. */
const reloadedKey = 'tracelake.reloaded'
/** A part that is still missing this soon after a reload will not appear by reloading again. */
const reloadPauseMs = 60_000

/** A component that is loaded when it is first shown. */
export const lazyPart = <Props extends object>(load: () => Promise<{ readonly default: ComponentType<Props> }>) =>
  lazy(() => load().catch(replaceMissing<Props>))

/**
 * After an upgrade, the server no longer has the scripts that an open page asks for: the page is
 * reloaded, once. If that does not help, the component throws where it is shown.
 */
function replaceMissing<Props>(cause: unknown): Promise<{ readonly default: ComponentType<Props> }> {
  if (reloadOnce()) return new Promise(() => {})
  const Missing: ComponentType<Props> = () => {
    throw cause
  }
  return Promise.resolve({ default: Missing })
}

function reloadOnce(): boolean {
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
