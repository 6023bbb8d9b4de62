import { signal } from '@preact/signals'

/**
 * Search part of the address, with its question mark. The address is where views keep their
 * state.
 */
export const search = signal(location.search)

/**
 * Makes a path that a person cut or typed wrongly readable: the router throws on percent signs that
 * escape nothing. Call once, before the first page is shown.
 */
export function repairPath(): void {
  const path = location.pathname.split('/').map(readable).join('/')
  if (path !== location.pathname) history.replaceState(history.state, '', path + location.search + location.hash)
}

function readable(part: string): string {
  try {
    decodeURIComponent(part)
    return part
  } catch {
    return part.replaceAll('%', '%25')
  }
}

/** Takes over what the address says now. */
const readAddress = (): void => {
  search.value = location.search
}

let committed: string | undefined
let openPath: ((url: string, replace?: boolean) => void) | undefined

/** Gives `navigate` the router's own function. */
export const connectRouter = (route: (url: string, replace?: boolean) => void): void => {
  openPath = route
}

/** Opens another page of the UI. */
export function navigate(url: string, { replace = false }: { replace?: boolean } = {}): void {
  if (!openPath) throw new Error('navigate() before the router is there')
  committed = undefined
  openPath(url, replace)
  readAddress()
}

/** Follows Back, Forward and links. Call once, after the router has installed its own listeners. */
export function watchAddress(): void {
  const follow = () => {
    committed = undefined
    readAddress()
  }
  addEventListener('popstate', follow)
  addEventListener('click', () => queueMicrotask(() => search.peek() !== location.search && follow()))
}

/** Changes the search part in place: for what is still being typed or dragged. */
export function replaceSearch(next: string): void {
  committed ??= location.href
  history.replaceState(history.state, '', location.pathname + next)
  search.value = next
}

/**
 * Changes the search part as a step that Back undoes. What was typed since the last step does not
 * stay behind as a step of its own.
 */
export function pushSearch(next: string): void {
  if (committed !== undefined) history.replaceState(history.state, '', committed)
  committed = undefined
  if (next !== location.search) history.pushState(null, '', location.pathname + next)
  search.value = next
}
