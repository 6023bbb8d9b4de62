import type { LogEvent } from '../../formats/mapping/logs/log-event.ts'
import {
  contentOf,
  contentOfMessages,
  evaluationOf,
  evaluationResult,
  messageEvents,
} from '../../formats/mapping/logs/span-content.ts'
import { KeyedMutex } from '../../lib/concurrency.ts'
import { itemAt } from '../../lib/present.ts'
import type { ProjectWriter } from '../access/index.ts'
import type { CallWriter } from '../calls/index.ts'
import type { EvaluationResults, SpanEvaluation } from './evaluation-results.ts'
import type { StoredEvents } from './logs/stored-events.ts'

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
