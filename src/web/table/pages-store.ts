import { CallPages } from './call-pages.ts'
import type { CallsQuery } from './calls-request.ts'

const keptMax = 6

/** Rows of the last queries, so that Back shows them at once, where they were. */
const kept = new Map<string, CallPages>()

/** Rows that no page has shown yet: if reading them has failed, that is still to be said. */
let unseen: CallPages | undefined

/** Begins to read the rows of a query, before there is a page to show them. */
export function beginPages(query: CallsQuery): CallPages {
  const pages = pagesOf(query)
  unseen = pages
  return pages
}

/** The rows of a query: those that are kept, or newly read ones. */
export function pagesOf(query: CallsQuery): CallPages {
  const key = keyOf(query)
  const found = kept.get(key)
  kept.delete(key)
  const isOver = found?.state.peek() === 'failed' && found !== unseen
  const pages = found && !isOver ? found : new CallPages(query)
  unseen = undefined
  pages.resume()
  kept.set(key, pages)
  for (const [oldest, old] of kept) {
    if (kept.size <= keptMax) break
    old.stop()
    kept.delete(oldest)
  }
  return pages
}

/** Forgets the rows of a query: the next reader reads them from the server. */
export function forgetPages(query: CallsQuery): void {
  kept.get(keyOf(query))?.stop()
  kept.delete(keyOf(query))
}

/** Forgets the rows of a project, because calls of it were changed. */
export function forgetProject(projectId: string): void {
  for (const [key, { query }] of kept) if (query.projectId === projectId) kept.delete(key)
}

const keyOf = (query: CallsQuery): string =>
  JSON.stringify(query, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))
