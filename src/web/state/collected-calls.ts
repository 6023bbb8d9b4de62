import { viewPath } from './paths.ts'
import { list } from './search-text.ts'

/** A longer list is kept by the tab instead of the address, which servers and people cut. */
const addressCharsMax = 4_000
const keyOf = (name: string): string => `tracelake.calls ${name}`

/** Address of the page that makes rows of calls. */
export function collectPath(projectId: string, ids: readonly string[]): string {
  const written = list().write(ids)
  if (written.length <= addressCharsMax)
    return viewPath(projectId, 'calls-to-dataset', `?${new URLSearchParams({ ids: written })}`)
  const name = crypto.randomUUID()
  try {
    sessionStorage.setItem(keyOf(name), written)
  } catch {
    // No storage here: the page says that the calls are to be chosen again.
  }
  return viewPath(projectId, 'calls-to-dataset', `?${new URLSearchParams({ set: name })}`)
}

/** The calls of a list that the tab keeps; none if it is gone. */
export function keptCalls(name: string): readonly string[] {
  try {
    return list().read(sessionStorage.getItem(keyOf(name)) ?? '') ?? []
  } catch {
    return []
  }
}
