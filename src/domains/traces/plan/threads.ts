import type { CallsPlan } from '../../../query/calls-plan.ts'
import { ascendingBy, type SortKey, type SortRules } from '../../../query/sort.ts'
import { tableCatalog } from '../../../query/table-catalog.ts'

/** Which turns count, by their start (microseconds, both ends exclusive), and which threads. */
export interface ThreadsPlan {
  readonly projectId: string
  readonly after: number | undefined
  readonly before: number | undefined
  /** Empty means all threads. */
  readonly threadIds: readonly string[]
  /** Only threads with a call that matches; undefined for all. */
  readonly matching?: CallsPlan | undefined
  readonly sort: readonly SortKey[]
  readonly limit: number | undefined
  readonly offset: number
}

/** Order of threads: last updated first by default. */
export const threadsOrder: SortRules = {
  catalog: tableCatalog({
    columns: [
      { name: 'thread_id', type: 'text' },
      { name: 'turn_count', type: 'integer' },
      { name: 'start_time', type: 'time' },
      { name: 'last_updated', type: 'time' },
      { name: 'p50_turn_duration_ms', type: 'number' },
      { name: 'p99_turn_duration_ms', type: 'number' },
    ],
  }),
  otherwise: [{ field: 'last_updated', direction: 'desc' }],
  tieBreaker: ascendingBy('thread_id'),
}
