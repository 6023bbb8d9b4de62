import { DomainError } from '../errors.ts'
import { limits } from '../limits.ts'
import type { SortBy } from '../model/calls.ts'
import { nearest } from './nearest.ts'

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
  if (keys.length > limits.sortKeysMax) {
    throw new DomainError(
      'InvalidRequest',
      `Read sort_by: ${keys.length} keys are more than the ${limits.sortKeysMax} allowed`,
    )
  }
  const unknown = keys.find(({ field }) => !(sortable as readonly string[]).includes(field))
  if (unknown !== undefined) {
    const { field } = unknown
    throw new DomainError(
      'InvalidField',
      `Sort threads by "${field.slice(0, 80)}": that cannot be; did you mean "${nearest(field, sortable)}"?`,
      { extras: { field } },
    )
  }
  return [...keys, { field: 'thread_id', direction: 'asc' }]
}
