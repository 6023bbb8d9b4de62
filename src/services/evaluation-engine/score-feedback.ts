import type { ProjectWriter } from '../../model/caller.ts'
import type { Feedback } from '../feedback/feedback.ts'
import { derivedId } from './derived-id.ts'
import type { RunnableScorer } from './runnable.ts'

/** The id of the feedback that comes with a score. @param scoreCallId a UUID */
export const feedbackIdOf = (scoreCallId: string): string => derivedId(scoreCallId, 'feedback')

/** Notes scores as feedback on the calls that they are about, so that they show wherever feedback does. */
export class ScoreFeedback {
  private readonly feedback: Feedback
  private readonly refScheme: string

  /** @param refScheme scheme of the refs that the server makes, in the dialect in force */
  constructor(feedback: Feedback, refScheme: string) {
    this.feedback = feedback
    this.refScheme = refScheme
  }

  /** Again for the same score replaces what was noted. */
  async record(
    writer: ProjectWriter,
    score: {
      readonly scorer: RunnableScorer
      readonly value: unknown
      /** Call of the scorer. */
      readonly scoreCallId: string
      /** Call that was scored. */
      readonly callId: string
    },
  ): Promise<void> {
    const { projectId } = writer
    await this.feedback.writer.create(writer, {
      project_id: projectId,
      id: feedbackIdOf(score.scoreCallId),
      ext_ref: `${this.refScheme}${projectId}/call/${score.callId}`,
      feedback_type: `ext.runnable.${score.scorer.name}`,
      payload: { output: score.value },
      runnable_ref: score.scorer.ref,
      call_ref: `${this.refScheme}${projectId}/call/${score.scoreCallId}`,
    })
  }
}
