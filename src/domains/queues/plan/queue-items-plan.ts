import type { OutputNames } from '../../../query/call-output.ts'
import { ascendingBy, type SortKey, type SortRules } from '../../../query/sort.ts'
import { tableCatalog } from '../../../query/table-catalog.ts'

/** Which items of a queue to read; absent members restrict nothing. */
export interface QueueItemsPlan {
  readonly projectId: string
  readonly queueId: string
  readonly equals: Readonly<Partial<Record<FilterColumn, string>>>
  readonly states: readonly string[]
  readonly sort: readonly SortKey[]
  readonly limit: number | undefined
  readonly offset: number
  /** The dialect's names, if the feedback given in the queue is requested. */
  readonly feedback: OutputNames | undefined
  /** A reviewer from whom the answers of others are hidden while they could answer an item. */
  readonly reviewer?: { readonly userId: string; readonly reviewersPerItem: number } | undefined
}

type FilterColumn = 'id' | 'call_id' | 'call_op_name' | 'call_trace_id' | 'created_by'

/** Order of the items of a queue: oldest first by default. */
export const queueItemsOrder: SortRules = {
  catalog: tableCatalog({
    columns: [
      { name: 'id', type: 'text' },
      { name: 'call_id', type: 'text' },
      { name: 'call_started_at', type: 'time' },
      { name: 'call_ended_at', type: 'time' },
      { name: 'call_op_name', type: 'text' },
      { name: 'call_trace_id', type: 'text' },
      { name: 'annotation_state', type: 'text' },
      { name: 'created_at', type: 'time' },
      { name: 'created_by', type: 'text' },
      { name: 'updated_at', type: 'time' },
    ],
    namesOf: (name) => (name === 'created_by' ? [name, 'added_by'] : [name]),
  }),
  otherwise: [{ field: 'created_at', direction: 'asc' }],
  tieBreaker: ascendingBy('id'),
}
