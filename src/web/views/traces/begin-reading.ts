import { mayHaveSession } from '../../base.ts'
import { drawWith } from '../../state/first-drawing.ts'
import { search } from '../../state/location.ts'
import { placeOf } from '../../state/place.ts'
import { readSearch } from '../../state/search-text.ts'
import { beginPages } from '../../table/pages-store.ts'
import { tracesUrl } from '../../table/traces-url.ts'
import { callsOfAddress } from './calls-of-address.ts'

/**
 * Reads the rows that the address shows as soon as the scripts of the view are there, not once the
 * page has been drawn. Mostly they have been asked for before: src/web/first-rows.ts.
 */
export function beginReading(rootsOnly: boolean): void {
  const { projectId } = placeOf(location.pathname)
  if (projectId === undefined || !mayHaveSession) return
  const { query } = callsOfAddress(projectId, rootsOnly, readSearch(tracesUrl, search.peek()))
  if (query) drawWith(beginPages(query).firstRows)
}
