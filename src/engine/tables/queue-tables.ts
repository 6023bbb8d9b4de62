import { callsTable } from './calls-table.ts'
import { integer, json, text, texts, time } from './columns.ts'
import { defineTable } from './define-table.ts'
import { objectsTable } from './objects-table.ts'

export const queuesTable = defineTable({
  name: 'annotation_queues',
  description:
    'Annotation queues: calls for people to review one by one. A deleted queue keeps its row, with `deleted_at` set.',
  columns: {
    id: text('id of the queue'),
    name: text('name; need not be unique'),
    description: text('what the queue is for'),
    scorer_refs: texts('refs of the annotation specs to fill in'),
    created_at: time('when the queue was created', { bounds: true }),
    created_by: text('id of the API key that created the queue'),
    updated_at: time('last change'),
    deleted_at: time('when the queue was deleted; null until then', { nullable: true }),
    reviewers_per_item: integer('how many people answer each item; null for one', { nullable: true }),
    guidelines: text('what reviewers should look for, in Markdown', { nullable: true }),
    lease_seconds: integer('how long a claimed item is kept for a reviewer; null for 300', { nullable: true }),
    assigned_to: texts('ids of the people who review it; null or empty: everyone who may write', { nullable: true }),
  },
  id: 'id',
  order: ['created_at', 'id'],
  presence: 'name',
  updatedAt: 'updated_at',
  tombstone: 'purged_at',
  refersTo: [objectsTable],
})

export const queueItemsTable = defineTable({
  name: 'annotation_queue_items',
  description: 'Calls in annotation queues. The `call_*` columns hold the state of the call when it was added.',
  columns: {
    id: text('id of the item'),
    queue_id: text('id of the queue', { bounds: true, bloom: true }),
    call_id: text('id of the call', { bounds: true, bloom: true }),
    call_started_at: time('start of the call'),
    call_ended_at: time('end of the call; null if it was running when it was added', { nullable: true }),
    call_op_name: text('op name of the call'),
    call_trace_id: text('trace of the call'),
    display_fields: texts('paths of the fields shown to annotators'),
    created_at: time('when the call was added', { bounds: true }),
    created_by: text('id of the API key that added the call'),
    compared_call_id: text('id of the call that it is compared with', { nullable: true }),
    gold: json('JSON array: known answers that reviewers do not see; null if there are none', { nullable: true }),
  },
  id: 'id',
  order: ['queue_id', 'created_at', 'id'],
  presence: 'queue_id',
  tombstone: 'purged_at',
  refersTo: [queuesTable, callsTable],
})

export const progressTable = defineTable({
  name: 'annotation_progress',
  description: 'Progress of each annotator on each queue item: one row per pair.',
  columns: {
    id: text('item id, a slash, annotator id'),
    queue_id: text('id of the queue', { bounds: true, bloom: true }),
    item_id: text('id of the item', { bounds: true, bloom: true }),
    annotator_user_id: text('id of the annotator’s API key'),
    annotation_state: text('in_progress, completed or skipped'),
    created_at: time('when the annotator started'),
    updated_at: time('last change'),
    reason: text('why the item was skipped', { nullable: true }),
  },
  id: 'id',
  order: ['queue_id', 'item_id', 'id'],
  presence: 'annotation_state',
  updatedAt: 'updated_at',
  tombstone: 'purged_at',
  refersTo: [queueItemsTable],
})
