/**
 * The one-time code in the fragment of the address. It is taken out of the address at once, so that
 * it stays neither in the history nor on the screen.
 */
export function takeOnceCode(): string | undefined {
  const once = new URLSearchParams(location.hash.slice(1)).get('once')
  if (once === null) return undefined
  history.replaceState(history.state, '', location.pathname + location.search)
  return once
}
