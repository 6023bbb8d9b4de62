import { mayHaveSession } from '../../base.ts'
import { search } from '../../state/location.ts'
import { placeOf } from '../../state/place.ts'
import { readSearch } from '../../state/search-text.ts'
import { pagesOf } from '../../table/pages-store.ts'
import { callsOfAddress } from './calls-of-address.ts'
import { tracesUrl } from './traces-url.ts'

/**
 * Asks for the rows that the address shows as soon as the scripts of the view are there, so that
 * the server works on them while the page is drawn for the first time.
 */
export function beginReading(rootsOnly: boolean): void {
  const { projectId } = placeOf(location.pathname)
  if (projectId === undefined || !mayHaveSession) return
  const { query } = callsOfAddress(projectId, rootsOnly, readSearch(tracesUrl, search.peek()))
  if (query) pagesOf(query)
}
