import type { SortBy } from '../model/calls.ts'
import { checkSortKeys, sortableField } from './sort-keys.ts'

/** Which turns count, by their start (microseconds, both ends exclusive), and which threads. */
export interface ThreadsPlan {
  readonly projectId: string
  readonly after: number | undefined
  readonly before: number | undefined
  /** Empty: all threads. */
  readonly threadIds: readonly string[]
  readonly sort: readonly SortBy[]
  readonly limit: number | undefined
  readonly offset: number
}

const sortable = [
  'thread_id',
  'turn_count',
  'start_time',
  'last_updated',
  'p50_turn_duration_ms',
  'p99_turn_duration_ms',
] as const

/** Sort keys in total order; latest first where none are asked for. @throws DomainError InvalidField, InvalidRequest */
export function parseThreadsSort(asked: readonly SortBy[] | null | undefined): readonly SortBy[] {
  const keys = asked && asked.length > 0 ? asked : [{ field: 'last_updated', direction: 'desc' } as const]
  checkSortKeys(keys)
  const order = keys.map(({ field, direction }) => ({ field: sortableField('threads', field, sortable), direction }))
  return [...order, { field: 'thread_id', direction: 'asc' }]
}
