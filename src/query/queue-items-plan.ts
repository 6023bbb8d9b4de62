import { DomainError } from '../errors.ts'
import type { SortBy } from '../model/calls.ts'
import type { OutputOptions } from './call-output.ts'
import { nearest } from './nearest.ts'

/** Which items of a queue are wanted; absent members restrict nothing. */
export interface QueueItemsPlan {
  readonly projectId: string
  readonly queueId: string
  readonly equals: Readonly<Partial<Record<FilterColumn, string>>>
  readonly states: readonly string[]
  readonly sort: readonly SortBy[]
  readonly limit: number | undefined
  readonly offset: number
  /** Names of the dialect, where the feedback that was given in the queue is wanted too. */
  readonly feedback: Pick<OutputOptions, 'wireName' | 'feedbackPrefix'> | undefined
}

type FilterColumn = 'id' | 'call_id' | 'call_op_name' | 'call_trace_id' | 'created_by'

const sortable: ReadonlyMap<string, string> = new Map(
  [
    'id',
    'call_id',
    'call_started_at',
    'call_ended_at',
    'call_op_name',
    'call_trace_id',
    'annotation_state',
    'created_at',
    'created_by',
    'updated_at',
  ].map((name) => [name, name]),
).set('added_by', 'created_by')

/** Columns to sort items by, in total order; oldest first where none are asked for. @throws DomainError InvalidField */
export function itemsOrder(asked: readonly SortBy[]): readonly { column: string; direction: 'asc' | 'desc' }[] {
  const keys = asked.length === 0 ? [{ field: 'created_at', direction: 'asc' as const }] : asked
  const order = keys.map(({ field, direction }) => {
    const column = sortable.get(field)
    if (column === undefined) {
      const suggestion = nearest(field, [...sortable.keys()])
      throw new DomainError(
        'InvalidField',
        `Sort items by "${field.slice(0, 80)}": there is no such field; did you mean "${suggestion}"?`,
        { extras: { field } },
      )
    }
    return { column, direction }
  })
  return [...order, { column: 'id', direction: 'asc' }]
}
