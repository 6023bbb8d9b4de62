import { column, replaceTable } from '../kernel/table.ts'

/** Annotation queues: lists of calls that people look at one by one. A deleted queue stays as a row with `deleted_at`. */
export const queuesTable = replaceTable({
  name: 'annotation_queues',
  columns: [
    column('id', 'text', 'id of the queue'),
    column('name', 'text', 'name; queues may share one'),
    column('description', 'text', 'what the queue is for'),
    column('scorer_refs', 'texts', 'refs of what annotators are asked'),
    column('created_at', 'time', 'when the queue was made, UTC'),
    column('created_by', 'text', 'id of the API key that made it'),
    column('updated_at', 'time', 'last change, UTC'),
    column('deleted_at', 'time', 'when the queue was deleted, UTC; null while it is there'),
  ],
  order: ['project_id', 'created_at', 'id'],
  bounded: ['project_id', 'id', 'created_at'],
  filtered: ['id'],
  updatedAtColumn: 'updated_at',
  tombstoneColumn: 'purged_at',
  presenceColumn: 'name',
})

/** Calls in annotation queues. What is told of a call is what it was when it was added. */
export const queueItemsTable = replaceTable({
  name: 'annotation_queue_items',
  columns: [
    column('id', 'text', 'id of the item'),
    column('queue_id', 'text', 'id of the queue'),
    column('call_id', 'text', 'id of the call'),
    column('call_started_at', 'time', 'start of the call, UTC'),
    column('call_ended_at', 'time', 'end of the call, UTC; null where it was running when it was added'),
    column('call_op_name', 'text', 'what was called'),
    column('call_trace_id', 'text', 'trace of the call'),
    column('display_fields', 'texts', 'paths of what annotators are shown'),
    column('created_at', 'time', 'when the call was added, UTC'),
    column('created_by', 'text', 'id of the API key that added it'),
  ],
  order: ['project_id', 'queue_id', 'created_at', 'id'],
  bounded: ['project_id', 'id', 'queue_id', 'call_id', 'created_at'],
  filtered: ['id', 'queue_id', 'call_id'],
  tombstoneColumn: 'purged_at',
  presenceColumn: 'queue_id',
})

/** How far each annotator is with each item: one row for a pair. */
export const progressTable = replaceTable({
  name: 'annotation_progress',
  columns: [
    column('id', 'text', 'id of the item, a slash, id of the annotator'),
    column('queue_id', 'text', 'id of the queue'),
    column('item_id', 'text', 'id of the item'),
    column('annotator_user_id', 'text', 'id of the API key of the annotator'),
    column('annotation_state', 'text', 'in_progress, completed or skipped'),
    column('created_at', 'time', 'when the annotator began, UTC'),
    column('updated_at', 'time', 'last change, UTC'),
  ],
  order: ['project_id', 'queue_id', 'item_id', 'id'],
  bounded: ['project_id', 'id', 'queue_id', 'item_id'],
  filtered: ['id', 'queue_id', 'item_id'],
  updatedAtColumn: 'updated_at',
  tombstoneColumn: 'purged_at',
  presenceColumn: 'annotation_state',
})
