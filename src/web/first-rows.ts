// Runs in the head of a page that shows a table of calls or traces, before the scripts of the page
// are there: docs/decisions/315-rows-before-scripts.md.
import { placeOf } from './state/place.ts'
import { readSearch } from './state/search-text.ts'
import { beginRows } from './table/begun-rows.ts'
import { timeAnchor } from './table/time-anchor.ts'
import { tracesUrl } from './table/traces-url.ts'
import { callsOfAddress } from './views/traces/calls-of-address.ts'

const { projectId, view } = placeOf(location.pathname)
if (projectId !== undefined) {
  const { query } = callsOfAddress(projectId, view === 'traces', readSearch(tracesUrl, location.search))
  if (query) beginRows(query, timeAnchor(projectId))
}
