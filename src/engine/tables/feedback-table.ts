import { callsTable } from './calls-table.ts'
import { json, text, texts, time } from './columns.ts'
import { defineTable } from './define-table.ts'
import { objectsTable } from './objects-table.ts'
import { queuesTable } from './queue-tables.ts'

export const feedbackTable = defineTable({
  name: 'feedback',
  description: 'Feedback from people, programs and judges on calls and other objects.',
  columns: {
    id: text('id of the feedback, unique within its project'),
    ext_ref: text('ref of the subject'),
    call_id: text('id of the call, if the subject is a call of the same project', {
      nullable: true,
      bounds: true,
      bloom: true,
      exposed: 'query',
    }),
    feedback_type: text('reaction, note, annotation, … or a custom type', { bounds: true }),
    payload: json('JSON object: the feedback itself'),
    creator: text('display name; not tied to the API key', { nullable: true }),
    ext_user_id: text('id of the API key that sent the feedback'),
    created_at: time('when the server accepted the feedback', { bounds: true }),
    annotation_ref: text('ref of the annotation spec', { nullable: true }),
    runnable_ref: text('ref of the op or object that judged', { nullable: true }),
    call_ref: text('ref of the call that judged', { nullable: true }),
    trigger_ref: text('ref of what triggered the judge', { nullable: true }),
    queue_id: text('annotation queue in which the feedback was given', { nullable: true, blank: '""' }),
    scorer_tags: texts('tags assigned by the scorer', { blank: '[]' }),
    scorer_tag_reasons: json('JSON object: reason by tag', { blank: '{}' }),
    scorer_tag_confidences: json('JSON object: confidence from 0 to 1 by tag', { blank: '{}' }),
    scorer_ratings: json('JSON object: rating from 0 to 1 by name', { blank: '{}' }),
    scorer_rating_reasons: json('JSON object: reason by rating name', { blank: '{}' }),
    scorer_rating_confidences: json('JSON object: confidence from 0 to 1 by rating name', { blank: '{}' }),
    span_agent_name: text('agent that was judged', { blank: '""' }),
    span_agent_version: text('version of the judged agent', { blank: '""' }),
    span_status_code: text('status of the judged span; `UNSET` if none was given', { blank: '"UNSET"' }),
    span_conversation_id: text('conversation of the judged span', { blank: '""' }),
    span_trace_id: text('trace of the judged turn', { blank: '""' }),
    scorer_trace_id: text('trace of the scorer', { blank: '""' }),
  },
  id: 'id',
  order: ['created_at', 'id'],
  presence: 'feedback_type',
  refersTo: [callsTable, objectsTable, queuesTable],
})
