import { DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { TableQuestion } from '../../model/row-tables.ts'
import { parseFieldPath } from '../../query/field-path.ts'
import { parsePage } from '../../query/page.ts'
import { checkSortKeys } from '../../query/sort-keys.ts'
import type { RowSort } from '../../query/sql/table-positions.ts'

/** A question about the rows of a table, read and checked. */
export interface ReadPlan {
  /** Empty: all rows. */
  readonly rowDigests: readonly string[]
  /** Empty: the order of the table. */
  readonly sort: readonly RowSort[]
  readonly limit: number | undefined
  readonly offset: number
}

/** @throws DomainError InvalidRequest */
export function planRead(question: TableQuestion): ReadPlan {
  const rowDigests = [...new Set(question.filter?.row_digests ?? [])]
  const sort = question.sort_by ?? []
  if (rowDigests.length > limits.rowDigestsFilterMax) {
    throw invalid(
      `filter.row_digests: ${rowDigests.length} values are more than the ${limits.rowDigestsFilterMax} allowed`,
    )
  }
  checkSortKeys(sort)
  return {
    rowDigests,
    sort: sort.map(({ field, direction }) => ({ path: rowPath(field), direction })),
    ...parsePage(question),
  }
}

/** A field is a path into the user's own row, so a bad one is a bad request, not a field that does not exist. */
function rowPath(field: string): string[] {
  if (field.split('.').some((key) => key.trim() === '')) {
    throw invalid(`sort_by "${field.slice(0, 80)}": a field is a path of keys joined by dots`)
  }
  return parseFieldPath(field)
}

const invalid = (what: string) => new DomainError('InvalidRequest', `Read ${what}`)
