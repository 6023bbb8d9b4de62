import type { RefWriter } from '../../../formats/dialect/parsed-ref.ts'
import { DomainError } from '../../../lib/errors.ts'
import { derivedId } from '../../../lib/ids.ts'
import type { ProjectWriter } from '../../access/index.ts'
import type { Feedback } from '../../feedback/index.ts'
import type { RunnableScorer, Score } from './runnable.ts'

/** Id of the feedback that belongs to a score. @param scoreCallId a UUID */
export const feedbackIdOf = (scoreCallId: string): string => derivedId(scoreCallId, 'feedback')

/** Records scores as feedback on the scored calls. */
export class ScoreFeedback {
  private readonly feedback: Feedback
  private readonly refs: RefWriter

  constructor(feedback: Feedback, refs: RefWriter) {
    this.feedback = feedback
    this.refs = refs
  }

  /**
   * Records the result of a scorer; recording the same score again replaces it.
   *
   * @returns the effective score: one that is too large for feedback becomes an error of the scorer
   */
  async record(
    writer: ProjectWriter,
    score: {
      readonly scorer: RunnableScorer
      readonly said: Score
      /** Call of the scorer. */
      readonly scoreCallId: string
      /** The scored call. */
      readonly callId: string
    },
  ): Promise<Score> {
    const { said, scorer } = score
    if ('error' in said) return said
    const { projectId } = writer
    try {
      await this.feedback.writer.create(writer, {
        project_id: projectId,
        id: feedbackIdOf(score.scoreCallId),
        ext_ref: this.refs.call(projectId, score.callId),
        feedback_type: `ext.runnable.${scorer.name}`,
        payload: { output: said.value },
        runnable_ref: scorer.ref,
        call_ref: this.refs.call(projectId, score.scoreCallId),
      })
      return said
    } catch (cause) {
      // One unusable response of a judge must not fail the whole evaluation.
      if (cause instanceof DomainError && cause.type === 'InvalidRequest') return { error: cause.message }
      throw cause
    }
  }
}
