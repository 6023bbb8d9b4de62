import type { Cell } from '../../lib/table.ts'
import { formatTime } from '../../lib/time.ts'
import type { QueueItem } from './model/annotation-queues.ts'
import { queueItemColumns } from './sql/queue-items.ts'

/** An item with, if requested, the feedback given in the queue: JSON objects joined by commas. */
export interface ReadItem {
  readonly item: QueueItem
  readonly feedback: string | undefined
}

/** Builds an item from the cells of `queueItemColumns`. */
export function readItem(projectId: string, cells: readonly Cell[]): ReadItem {
  const cell = (name: (typeof queueItemColumns)[number]) => cells[queueItemColumns.indexOf(name)]!
  const time = (name: (typeof queueItemColumns)[number]) => formatTime(cell(name) as number)
  const item: QueueItem = {
    id: cell('id') as string,
    project_id: projectId,
    queue_id: cell('queue_id') as string,
    call_id: cell('call_id') as string,
    call_started_at: time('call_started_at'),
    call_ended_at: cell('call_ended_at') === null ? null : time('call_ended_at'),
    call_op_name: cell('call_op_name') as string,
    call_trace_id: cell('call_trace_id') as string,
    display_fields: [...(cell('display_fields') as readonly string[])],
    added_by: cell('created_by') as string,
    annotation_state: cell('annotation_state') as QueueItem['annotation_state'],
    annotator_user_id: cell('annotator_user_id') as string | null,
    created_at: time('created_at'),
    created_by: cell('created_by') as string,
    updated_at: time('updated_at'),
    deleted_at: null,
    position_in_queue: cell('position') as number,
  }
  return { item, feedback: (cell('entries') as string | null) ?? undefined }
}

/** The JSON text of an item; feedback is copied verbatim. */
export function itemText({ item, feedback }: ReadItem, { withPosition }: { readonly withPosition: boolean }): string {
  const text = JSON.stringify(withPosition ? item : { ...item, position_in_queue: null })
  return feedback === undefined ? text : `${text.slice(0, -1)},"feedback":[${feedback}]}`
}
