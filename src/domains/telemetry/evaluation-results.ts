import type { RefWriter } from '../../formats/dialect/parsed-ref.ts'
import { DomainError } from '../../lib/errors.ts'
import { sha256Hex } from '../../runtime/platform/crypto.ts'
import type { ProjectWriter } from '../access/index.ts'
import type { EvaluationOfSpan } from '../calls/index.ts'
import type { Feedback } from '../feedback/index.ts'

/** An evaluation of a span of a project. */
export interface SpanEvaluation extends EvaluationOfSpan {
  readonly writer: ProjectWriter
}

/** Records evaluation results of OpenTelemetry as feedback on the calls of their spans. */
export class EvaluationResults {
  private readonly feedback: Feedback
  private readonly refs: RefWriter

  constructor(feedback: Feedback, refs: RefWriter) {
    this.feedback = feedback
    this.refs = refs
  }

  /** A result that is sent again replaces itself; one that is too large is left to its event. */
  async add(results: readonly SpanEvaluation[]): Promise<void> {
    for (const { writer, spanId, key, evaluation } of results) {
      const { projectId } = writer
      const { name, score, payload } = evaluation
      const isRating = score !== undefined && score >= 0 && score <= 1
      try {
        await this.feedback.writer.create(writer, {
          project_id: projectId,
          id: sha256Hex([projectId, spanId, key].join('\n')).slice(0, 32),
          ext_ref: this.refs.call(projectId, spanId),
          feedback_type: `gen_ai.evaluation.${name}`,
          payload: { ...payload },
          ...(isRating && { scorer_ratings: { [name]: score } }),
        })
      } catch (cause) {
        if (!(cause instanceof DomainError) || cause.type !== 'InvalidRequest') throw cause
      }
    }
  }
}
