import { DomainError, quoted, tooMany } from '../../lib/errors.ts'
import { requestLimits } from '../../lib/limits/requests.ts'
import { parsePage } from '../../query/page.ts'
import { parseSort, type SortKey, type SortRules } from '../../query/sort.ts'
import type { TableRowsRequest } from './model/row-tables.ts'

/** A validated rows query. */
export interface ReadPlan {
  /** Empty for all rows. */
  readonly rowDigests: readonly string[]
  /** Empty for table order. */
  readonly sort: readonly SortKey[]
  readonly limit: number | undefined
  readonly offset: number
}

/** @throws DomainError InvalidRequest */
export function planRead(question: TableRowsRequest): ReadPlan {
  const rowDigests = [...new Set(question.filter?.row_digests ?? [])]
  const sort = question.sort_by ?? []
  if (rowDigests.length > requestLimits.rowDigestsFilterMax) {
    throw invalid(tooMany('values in `filter.row_digests`', rowDigests.length, requestLimits.rowDigestsFilterMax))
  }
  for (const { field } of sort) checkRowPath(field)
  return {
    rowDigests,
    sort: parseSort(sort, rowsOrder),
    ...parsePage(question),
  }
}

/** Fields of a row are the paths inside its JSON. */
const rowsOrder: SortRules = {
  catalog: { fields: new Map(), otherwise: { kind: 'json', column: 'val', path: [] }, suggestions: [] },
  otherwise: [],
}

/**
 * Rows have no declared fields, so an empty key is a malformed request rather than an unknown
 * field.
 */
function checkRowPath(field: string): void {
  if (field.split('.').every((key) => key.trim() !== '')) return
  throw invalid(`Invalid sort_by field ${quoted(field)}: use a dotted path of keys`)
}

const invalid = (what: string) => new DomainError('InvalidRequest', what)
