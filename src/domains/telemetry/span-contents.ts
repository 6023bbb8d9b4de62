import type { RefWriter } from '../../formats/dialect/parsed-ref.ts'
import type { LogEvent } from '../../formats/mapping/logs/log-event.ts'
import {
  contentOf,
  contentOfMessages,
  evaluationOf,
  evaluationResult,
  messageEvents,
} from '../../formats/mapping/logs/span-content.ts'
import { KeyedMutex } from '../../lib/concurrency.ts'
import { DomainError } from '../../lib/errors.ts'
import { itemAt } from '../../lib/present.ts'
import { sha256Hex } from '../../runtime/platform/crypto.ts'
import type { ProjectWriter } from '../access/index.ts'
import type { CallWriter, EvaluationOfSpan } from '../calls/index.ts'
import type { Feedback } from '../feedback/index.ts'
import type { StoredEvents } from './logs/stored-events.ts'

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

/** A record of a span that has been stored. */
export interface SpanRecord {
  readonly writer: ProjectWriter
  readonly spanId: string
  readonly event: LogEvent
  /** Id of its row in `logs`. */
  readonly rowId: string
}

interface SpanContentsDependencies {
  readonly calls: CallWriter
  readonly events: StoredEvents
  readonly evaluations: EvaluationResults
}

const names = new Set(messageEvents)

/** Whether a record holds the inputs, the output or an evaluation of its span. */
export const isAboutSpan = (event: LogEvent): boolean =>
  event.name === evaluationResult || names.has(event.name ?? '') || contentOf(event) !== undefined

/**
 * Adds what records say about spans to the calls of these: a part of the call without its start,
 * which is shown once the span has arrived. What the span says itself counts if it arrives later.
 * See docs/decisions/093-log-records-about-spans.md.
 */
export class SpanContents {
  private readonly deps: SpanContentsDependencies
  private readonly mutex = new KeyedMutex()

  constructor(deps: SpanContentsDependencies) {
    this.deps = deps
  }

  /** The records must be stored. */
  async add(records: readonly SpanRecord[]): Promise<void> {
    for (const [projectId, ofProject] of Map.groupBy(records, ({ writer }) => writer.projectId)) {
      await this.mutex.run(projectId, () => this.addTo(itemAt(ofProject, 0).writer, ofProject))
    }
  }

  private async addTo(writer: ProjectWriter, records: readonly SpanRecord[]): Promise<void> {
    const batch = this.deps.calls.spans()
    const evaluations: SpanEvaluation[] = []
    const withMessages = new Set<string>()
    for (const { spanId, event, rowId } of records) {
      const content = contentOf(event)
      if (content !== undefined) batch.addContent(writer, spanId, content)
      if (names.has(event.name ?? '')) withMessages.add(spanId)
      const evaluation = event.name === evaluationResult ? evaluationOf(event.attributes) : undefined
      if (evaluation !== undefined) evaluations.push({ writer, spanId, key: rowId, evaluation })
    }
    if (withMessages.size > 0) {
      const stored = await this.deps.events.find(writer, { spanIds: [...withMessages], names: messageEvents })
      const ofSpans = Map.groupBy(stored, ({ event }) => event.spanId!)
      for (const [spanId, found] of ofSpans) {
        batch.addContent(writer, spanId, contentOfMessages(found.map(({ event }) => event)))
      }
    }
    await batch.store()
    await this.deps.evaluations.add(evaluations)
  }
}
