import type { Store } from '../../engine/store.ts'
import { feedbackTable } from '../../engine/tables/feedback-table.ts'
import { itemFault } from '../../formats/body/batch-item.ts'
import { neutralFeedbackType } from '../../formats/dialect/feedback-type.ts'
import { callIdOf } from '../../formats/dialect/parsed-ref.ts'
import { BoundedMap } from '../../lib/bounded-map.ts'
import { KeyedMutex } from '../../lib/concurrency.ts'
import { isId, requireId } from '../../lib/ids.ts'
import { storedJson } from '../../lib/json-value.ts'
import { operationLimits } from '../../lib/limits/operations.ts'
import type { Row } from '../../lib/table.ts'
import { formatTime } from '../../lib/time.ts'
import { type Clock, MonotonicClock } from '../../runtime/platform/clock.ts'
import { TimeSlice } from '../../runtime/platform/event-loop.ts'
import { newId } from '../../runtime/platform/new-id.ts'
import type { ProjectWriter } from '../access/index.ts'
import type { TableRows } from '../records/index.ts'
import { checkFeedback, type FeedbackReferences, rememberedReferences } from './check-feedback.ts'
import type { FeedbackCreate, FeedbackReceipt, FeedbackReplace } from './model/feedback.ts'

/** Feedback that passed validation, with the values that the server adds. */
interface Accepted {
  readonly projectId: string
  readonly id: string
  readonly userId: string
  readonly createdAtMicros: number
  /** As stored. */
  readonly type: string
  readonly payload: Readonly<Record<string, unknown>>
}

/** Checked feedback on its way into the store. */
interface PreparedFeedback {
  readonly projectId: string
  readonly row: Row
  readonly receipt: FeedbackReceipt
}

/** The row of validated feedback. */
function feedbackRow(feedback: FeedbackCreate, accepted: Accepted): Row {
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

/**
 * Remembers which feedback replaced which, so that requests that replace the same feedback,
 * concurrently or repeatedly, leave one replacement instead of one each.
 */
class Successors {
  /** Id by project and id. */
  private readonly known = new BoundedMap<string, string>(operationLimits.replacedFeedbackKept)

  /** The feedback itself and all its successors. */
  chainOf(projectId: string, id: string): string[] {
    const chain = [id]
    for (let next = this.get(projectId, id); next !== undefined; next = this.get(projectId, next)) chain.push(next)
    return chain
  }

  /** Records that `id` has replaced everything in the chain. */
  note(projectId: string, chain: readonly string[], id: string): void {
    // Existing feedback has no successor, so no chain leads back to itself.
    this.known.delete(keyOf(projectId, id))
    for (const former of chain) {
      if (former !== id) this.known.set(keyOf(projectId, former), id)
    }
  }

  /** Feedback that exists again under its own id has no successor. */
  forget(projectId: string, id: string): void {
    this.known.delete(keyOf(projectId, id))
  }

  private get(projectId: string, id: string): string | undefined {
    return this.known.get(keyOf(projectId, id))
  }
}

const keyOf = (projectId: string, id: string): string => `${projectId}\n${id}`

/**
 * Stores feedback. Everything is validated before anything is stored; when a method returns, the
 * write is durable and visible.
 */
export class FeedbackWriter {
  private readonly store: Store
  /** Keeps the order of feedback within the same millisecond. */
  private readonly clock: MonotonicClock
  private readonly rows: TableRows
  private readonly references: FeedbackReferences
  private readonly replacing = new KeyedMutex()
  private readonly successors = new Successors()

  constructor(options: { store: Store; clock: Clock; rows: TableRows; references: FeedbackReferences }) {
    this.store = options.store
    this.clock = new MonotonicClock(options.clock)
    this.rows = options.rows
    this.references = options.references
  }

  /**
   * Stores feedback; an existing id is overwritten. @throws DomainError InvalidRequest, NotFound
   */
  async create(writer: ProjectWriter, feedback: FeedbackCreate): Promise<FeedbackReceipt> {
    const { row, receipt } = await this.prepare(writer, feedback, this.clock.nowMicros())
    await this.store.write(feedbackTable.name, [row])
    this.successors.forget(writer.projectId, receipt.id)
    return receipt
  }

  /**
   * Validates like `create` without storing anything. @throws DomainError InvalidRequest, NotFound
   */
  async check(writer: ProjectWriter, feedback: FeedbackCreate): Promise<void> {
    await this.prepare(writer, feedback, this.clock.nowMicros())
  }

  /**
   * Stores feedback of one or more projects, and removes what it replaces; all or none. @throws
   * ValidationError with the place of the invalid item
   */
  async createBatch(
    writerOf: (projectId: string) => ProjectWriter,
    batch: readonly FeedbackCreate[],
    replaced?: { readonly writer: ProjectWriter; readonly ids: readonly string[] },
  ): Promise<FeedbackReceipt[]> {
    const prepared: PreparedFeedback[] = []
    const references = rememberedReferences(this.references)
    const nowMicros = this.clock.nowMicros(Math.max(1, batch.length))
    const slice = new TimeSlice()
    for (const [index, feedback] of batch.entries()) {
      if (slice.expired) await slice.yield()
      // A microsecond apart, to keep their order.
      const preparing = this.prepare(writerOf(feedback.project_id), feedback, nowMicros + index, references)
      prepared.push(
        await preparing.catch((error: unknown) => {
          throw itemFault(error, index)
        }),
      )
    }
    const removals = replaced?.ids.map((id) => feedbackTable.tombstone(replaced.writer.projectId, id, nowMicros)) ?? []
    await this.store.write(feedbackTable.name, [...removals, ...prepared.map(({ row }) => row)])
    for (const { projectId, receipt } of prepared) this.successors.forget(projectId, receipt.id)
    return prepared.map(({ receipt }) => receipt)
  }

  /**
   * Replaces feedback and anything that has replaced it before, atomically; unknown feedback is
   * ignored.
   *
   * @throws DomainError InvalidRequest, NotFound
   */
  async replace(writer: ProjectWriter, { feedback_id, ...feedback }: FeedbackReplace): Promise<FeedbackReceipt> {
    const { projectId } = writer
    // A concurrent replacement must see what the first one has stored.
    return await this.replacing.run(projectId, async () => {
      const nowMicros = this.clock.nowMicros()
      const { row, receipt } = await this.prepare(writer, feedback, nowMicros)
      const chain = this.successors.chainOf(projectId, feedback_id)
      // Invalid ids cannot exist and need no removal.
      const removed = chain.filter((id) => id !== receipt.id && isId(id))
      const removals = removed.map((id) => feedbackTable.tombstone(projectId, id, nowMicros))
      await this.store.write(feedbackTable.name, [...removals, row])
      this.successors.note(projectId, removed, receipt.id)
      return receipt
    })
  }

  /**
   * Deletes feedback permanently; unknown ids are ignored. @throws DomainError InvalidRequest if
   * the query selects by anything but ids
   */
  async purge(writer: ProjectWriter, query: unknown): Promise<void> {
    await this.remove(writer, await this.rows.existingIds(writer, query, { allowsIn: false }))
  }

  /** Deletes feedback permanently by id; unknown ids are ignored. */
  async remove(writer: ProjectWriter, ids: readonly string[]): Promise<void> {
    const nowMicros = this.clock.nowMicros()
    await this.store.write(
      feedbackTable.name,
      ids.map((id) => feedbackTable.tombstone(writer.projectId, id, nowMicros)),
    )
  }

  private async prepare(
    writer: ProjectWriter,
    feedback: FeedbackCreate,
    createdAtMicros: number,
    references: FeedbackReferences = this.references,
  ): Promise<PreparedFeedback> {
    const id = feedback.id == null ? newId() : requireId('id', feedback.id)
    const type = neutralFeedbackType(feedback.feedback_type)
    const payload = await checkFeedback(writer, feedback, type, references)
    const { projectId, userId } = writer
    return {
      projectId,
      row: feedbackRow(feedback, { projectId, id, userId, createdAtMicros, type, payload }),
      receipt: { id, created_at: formatTime(createdAtMicros), ext_user_id: userId, payload },
    }
  }
}
