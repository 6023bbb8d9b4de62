import { signal } from '@preact/signals'
import { openView, stopOpening } from './opening.ts'

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
let router: Router | undefined

/** The part of the router that `navigate` uses. */
interface Router {
  /** Shows an address whose view is loaded. */
  readonly route: (url: string, replace?: boolean) => void
  /** Loads the view of a path; undefined if it is loaded. */
  readonly prepare: (path: string) => Promise<void> | undefined
  /** Says that a view could not be loaded; the page stays. */
  readonly failed: (failure: unknown, url: string) => void
}

/** Gives `navigate` the router. */
export const connectRouter = (functions: Router): void => {
  router = functions
}

/** Opens another page of the UI. The one before it stays until the script of the view is there. */
export function navigate(url: string, { replace = false }: { replace?: boolean } = {}): void {
  if (!router) throw new Error('navigate() was called before the router was ready')
  const { route, prepare, failed } = router
  const show = () => {
    committed = undefined
    route(url, replace)
    readAddress()
  }
  openView(url, replace, { prepare, show, failed })
}

/**
 * Opens links as `navigate` does if the script of their view is not loaded; the router does the
 * others. Call once, before the router installs its own listeners.
 */
export function watchLinks(scope: string): void {
  window.addEventListener('click', (event) => {
    const url = linkOf(event, scope)
    if (url === undefined) return
    stopOpening()
    const loading = router?.prepare(new URL(url).pathname)
    if (!loading) return
    event.preventDefault()
    event.stopImmediatePropagation()
    navigate(url.slice(location.origin.length))
  })
}

/** The address below `scope` that a click leads to in this window. */
function linkOf(event: MouseEvent, scope: string): string | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.button !== 0) return undefined
  const link = event.composedPath().find((each) => each instanceof HTMLAnchorElement && each.href !== '')
  if (!(link instanceof HTMLAnchorElement) || link.download !== '' || !/^(_self)?$/i.test(link.target)) return undefined
  const href = link.getAttribute('href') ?? ''
  return link.origin === location.origin && href.startsWith(scope) ? link.href : undefined
}

/** Follows Back, Forward and links. Call once, after the router has installed its own listeners. */
export function watchAddress(): void {
  const follow = () => {
    stopOpening()
    committed = undefined
    readAddress()
  }
  addEventListener('popstate', follow)
  addEventListener('click', () => queueMicrotask(() => search.peek() !== location.search && follow()))
}

/** Changes the search part in place: for what is still being typed or dragged. */
export function replaceSearch(next: string): void {
  committed ??= location.href
  history.replaceState(history.state, '', location.pathname + next + location.hash)
  search.value = next
}

/**
 * Changes the search part as a step that Back undoes. What was typed since the last step does not
 * stay behind as a step of its own.
 */
export function pushSearch(next: string): void {
  if (committed !== undefined) history.replaceState(history.state, '', committed)
  committed = undefined
  if (next !== location.search) history.pushState(null, '', location.pathname + next + location.hash)
  search.value = next
}
