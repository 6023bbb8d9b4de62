import { toVendorName } from '../../dialect/names.ts'
import type { Spelling } from '../../query/catalog.ts'
import { ascendingBy, type SortRules } from '../../query/sort.ts'
import { tableCatalog } from '../../query/table-catalog.ts'
import { feedbackTable } from '../../tables/feedback-table.ts'
import type { Wire } from '../calls/plan.ts'

const refColumns: readonly string[] = ['ext_ref', 'annotation_ref', 'runnable_ref', 'call_ref', 'trigger_ref']

/** The fields of feedback in a dialect, oldest first. Feedback types are stored in the neutral spelling and read in the dialect's. */
export const feedbackRules = ({ wireName, feedbackPrefix }: Pick<Wire, 'wireName' | 'feedbackPrefix'>): SortRules => ({
  catalog: tableCatalog({
    columns: feedbackTable.columns.filter(({ storedIn }) => storedIn !== 'wal'),
    namesOf: (name) => [...new Set([name, toVendorName(name)])],
    wireName,
    spellings: new Map<string, Spelling>([
      ['feedback_type', { of: 'feedbackType', prefix: feedbackPrefix }],
      ...refColumns.map((name): [string, Spelling] => [name, { of: 'ref' }]),
    ]),
  }),
  otherwise: [{ field: 'created_at', direction: 'asc' }],
  tieBreaker: ascendingBy('id'),
})
