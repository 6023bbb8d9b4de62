import type { Snapshot } from '../../engine/reads/snapshot.ts'
import { feedbackTable } from '../../engine/tables/feedback-table.ts'
import { compileTraceFeedback, type TraceFeedbackRow, type TraceScope } from './sql/trace-calls.ts'

/** The feedback on the calls of traces, from a snapshot that contains it. */
export async function traceFeedback(snapshot: Snapshot, scope: TraceScope): Promise<TraceFeedbackRow[]> {
  const feedback = snapshot.relation(feedbackTable.name)
  return feedback.isEmpty ? [] : await snapshot.rows(compileTraceFeedback(scope, feedback))
}
