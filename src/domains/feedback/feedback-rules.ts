import { clientColumns } from '../../engine/tables/define-table.ts'
import { feedbackTable } from '../../engine/tables/feedback-table.ts'
import { toVendorName } from '../../formats/dialect/names.ts'
import type { OutputNames } from '../../query/call-output.ts'
import type { Spelling } from '../../query/catalog.ts'
import { ascendingBy, type SortRules } from '../../query/sort.ts'
import { tableCatalog } from '../../query/table-catalog.ts'

const refColumns: readonly string[] = ['ext_ref', 'annotation_ref', 'runnable_ref', 'call_ref', 'trigger_ref']

/**
 * The fields of feedback in a dialect, oldest first. Feedback types are stored in neutral spelling
 * and returned in that of the dialect.
 */
export const feedbackRules = ({ nameOf, feedbackPrefix }: OutputNames): SortRules => ({
  catalog: tableCatalog({
    columns: clientColumns(feedbackTable),
    namesOf: (name) => [...new Set([name, toVendorName(name)])],
    nameOf,
    spellings: new Map<string, Spelling>([
      ['feedback_type', { of: 'feedbackType', prefix: feedbackPrefix }],
      ...refColumns.map((name): [string, Spelling] => [name, { of: 'ref' }]),
    ]),
  }),
  otherwise: [{ field: 'created_at', direction: 'asc' }],
  tieBreaker: ascendingBy('id'),
})
