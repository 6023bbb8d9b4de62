import { type Column, type ColumnType, columnIndex, type Table } from '../../model/table.ts'

const column = (name: string, type: ColumnType, description: string, kept: Column['kept'] = 'both'): Column => ({
  name,
  type,
  description,
  kept,
})

/** What people, programs and judges said about calls and other things: one row each. */
export const feedbackTable: Table = {
  name: 'feedback',
  columns: [
    column('project_id', 'text', 'entity/project'),
    column('id', 'text', 'id of the feedback, unique in its project'),
    column('ext_ref', 'text', 'ref of what the feedback is about'),
    column('call_id', 'text', 'id of the call, where the feedback is about a call of the same project'),
    column('feedback_type', 'text', 'reaction, note, annotation, … or a name of the user’s own'),
    column('payload', 'json', 'JSON object: what was said'),
    column('creator', 'text', 'name to show; says nothing about the key'),
    column('ext_user_id', 'text', 'id of the API key that sent the feedback'),
    column('created_at', 'time', 'when the server accepted the feedback, UTC'),
    column('annotation_ref', 'text', 'ref of the annotation’s description'),
    column('runnable_ref', 'text', 'ref of the op or object that judged'),
    column('call_ref', 'text', 'ref of the call that judged'),
    column('trigger_ref', 'text', 'ref of what set the judge to work'),
    column('queue_id', 'text', 'annotation queue in which the feedback was given'),
    column('scorer_tags', 'texts', 'tags that the judge gave'),
    column('scorer_tag_reasons', 'json', 'JSON object: reason by tag'),
    column('scorer_tag_confidences', 'json', 'JSON object: confidence from 0 to 1 by tag'),
    column('scorer_ratings', 'json', 'JSON object: rating from 0 to 1 by name'),
    column('scorer_rating_reasons', 'json', 'JSON object: reason by name of the rating'),
    column('scorer_rating_confidences', 'json', 'JSON object: confidence from 0 to 1 by name of the rating'),
    column('span_agent_name', 'text', 'agent that was judged'),
    column('span_agent_version', 'text', 'version of the agent that was judged'),
    column('span_status_code', 'text', 'status of the judged span; UNSET where none was told'),
    column('span_conversation_id', 'text', 'conversation of the judged span'),
    column('span_trace_id', 'text', 'trace of the judged turn'),
    column('scorer_trace_id', 'text', 'trace of the judge'),
    column('deleted_at', 'time', 'marks a purge', 'log'),
  ],
  key: ['project_id', 'id'],
  merge: 'row',
  order: ['project_id', 'created_at', 'id'],
  bounded: ['project_id', 'id', 'created_at', 'feedback_type', 'call_id'],
  filtered: ['id', 'call_id'],
  touched: 'created_at',
  tombstone: 'deleted_at',
  visible: 'feedback_type',
  finished: 'created_at',
  derive: () => {},
}

/** Position of a cell of a feedback row. */
export const feedbackCell = (name: string): number => columnIndex(feedbackTable, name)
