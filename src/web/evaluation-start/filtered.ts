import type { Matches } from '../dataset/table-rows.ts'
import type { StartInitial } from './use-start.ts'

/** Rows that a run can name. */
export const filteredMax = 10_000

/** The rows that a filter has left, once it has looked through all. */
export function filteredIn(search: Matches | undefined): Pick<StartInitial, 'filtered' | 'hasTooManyFiltered'> {
  if (search === undefined || !search.isDone || search.error !== undefined || search.digests.size === 0) return {}
  const isTooMany = search.isCut || search.digests.size > filteredMax
  return isTooMany ? { hasTooManyFiltered: true } : { filtered: [...search.digests] }
}
