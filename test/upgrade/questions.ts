import { isDeepStrictEqual } from 'node:util'

/** Sends a request and returns the status and the text of the answer. */
export type Ask = (path: string, body: unknown) => Promise<{ readonly status: number; readonly text: string }>

/** A request and what the version that wrote the folder answered. */
export interface KnownAnswer {
  readonly path: string
  readonly body: unknown
  readonly answer: unknown
}

const project = 'acme/one'

/** Questions about the folder, one or more for each feature. */
export const questions: readonly { readonly path: string; readonly body: unknown }[] = [
  { path: '/calls/stream_query', body: { project_id: project, sort_by: [{ field: 'id', direction: 'asc' }] } },
  { path: '/calls/query_stats', body: { project_id: project } },
  { path: '/call/read', body: { project_id: project, id: 'call-1' } },
  { path: '/feedback/query', body: { project_id: project, sort_by: [{ field: 'id', direction: 'asc' }] } },
  { path: '/cost/query', body: { project_id: project } },
  { path: '/objs/query', body: { project_id: project } },
  { path: '/obj/read', body: { project_id: project, object_id: 'prompt', digest: 'v0' } },
]

/** An answer as values: JSON, or JSON lines. */
export function valuesOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown)
  }
}

/**
 * Paths at which `later` lacks or changes something that `earlier` has. A later version may answer
 * more members, and leave out members that say nothing.
 */
export function differences(earlier: unknown, later: unknown, at = ''): string[] {
  if (Array.isArray(earlier) && Array.isArray(later)) {
    if (earlier.length !== later.length) return [`${at}: ${earlier.length} items, later ${later.length}`]
    return earlier.flatMap((item, index) => differences(item, later[index], `${at}[${index}]`))
  }
  if (isObject(earlier) && isObject(later)) {
    return Object.entries(earlier)
      .filter(([name, value]) => name in later || !saysNothing(value))
      .flatMap(([name, value]) => differences(value, later[name], `${at}.${name}`))
  }
  return isDeepStrictEqual(earlier, later) ? [] : [`${at}: ${JSON.stringify(earlier)}, later ${JSON.stringify(later)}`]
}

/** An empty value, or the status that spans without one have. */
const saysNothing = (value: unknown): boolean =>
  value === null || value === '' || value === 'UNSET' || (typeof value === 'object' && Object.keys(value).length === 0)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
