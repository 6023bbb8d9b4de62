import { feedbackTable } from '../../engine/tables/feedback-table.ts'
import { callIdOf } from '../../formats/dialect/parsed-ref.ts'
import { storedJson } from '../../lib/stored-json.ts'
import type { Row } from '../../lib/table.ts'
import type { FeedbackCreate } from './model/feedback.ts'

/** What the server knows about accepted feedback. */
export interface Accepted {
  readonly projectId: string
  readonly id: string
  readonly userId: string
  readonly createdAtMicros: number
  /** As stored. */
  readonly type: string
  readonly payload: Readonly<Record<string, unknown>>
}

/** The row of validated feedback. */
export function feedbackRow(feedback: FeedbackCreate, accepted: Accepted): Row {
  return feedbackTable.row({
    project_id: accepted.projectId,
    id: accepted.id,
    ext_ref: feedback.ext_ref,
    call_id: callIdOf(feedback.ext_ref, accepted.projectId) ?? null,
    feedback_type: accepted.type,
    payload: storedJson(accepted.payload),
    creator: feedback.creator ?? null,
    ext_user_id: accepted.userId,
    created_at: accepted.createdAtMicros,
    annotation_ref: feedback.annotation_ref ?? null,
    runnable_ref: feedback.runnable_ref ?? null,
    call_ref: feedback.call_ref ?? null,
    trigger_ref: feedback.trigger_ref ?? null,
    queue_id: feedback.queue_id ?? null,
    scorer_tags: feedback.scorer_tags ?? [],
    scorer_tag_reasons: JSON.stringify(feedback.scorer_tag_reasons ?? {}),
    scorer_tag_confidences: JSON.stringify(feedback.scorer_tag_confidences ?? {}),
    scorer_ratings: JSON.stringify(feedback.scorer_ratings ?? {}),
    scorer_rating_reasons: JSON.stringify(feedback.scorer_rating_reasons ?? {}),
    scorer_rating_confidences: JSON.stringify(feedback.scorer_rating_confidences ?? {}),
    span_agent_name: feedback.span_agent_name ?? '',
    span_agent_version: feedback.span_agent_version ?? '',
    span_status_code: feedback.span_status_code ?? 'UNSET',
    span_conversation_id: feedback.span_conversation_id ?? '',
    span_trace_id: feedback.span_trace_id ?? '',
    scorer_trace_id: feedback.scorer_trace_id ?? '',
  })
}
