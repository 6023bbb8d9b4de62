import type { Store } from '../../engine/store.ts'
import { feedbackTable } from '../../engine/tables/feedback-table.ts'
import { neutralFeedbackType } from '../../formats/dialect/feedback-type.ts'
import { isId, requireId } from '../../lib/ids.ts'
import { KeyedMutex } from '../../lib/keyed-mutex.ts'
import type { Row } from '../../lib/table.ts'
import { formatTime } from '../../lib/time.ts'
import { type Clock, MonotonicClock } from '../../runtime/platform/clock.ts'
import { TimeSlice } from '../../runtime/platform/event-loop.ts'
import { newId } from '../../runtime/platform/new-id.ts'
import type { ProjectWriter } from '../access/caller.ts'
import { itemFault } from '../records/batch-item.ts'
import type { TableRows } from '../records/table-rows.ts'
import { checkFeedback } from './check-feedback.ts'
import { feedbackRow } from './feedback-rows.ts'
import type { FeedbackCreate, FeedbackReceipt, FeedbackReplace } from './model/feedback.ts'
import { type FeedbackReferences, rememberedReferences } from './references.ts'
import { Successors } from './successors.ts'

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
   * Stores feedback of one or more projects; all or none. @throws ValidationError with the place of
   * the invalid item
   */
  async createBatch(
    writerOf: (projectId: string) => ProjectWriter,
    batch: readonly FeedbackCreate[],
  ): Promise<FeedbackReceipt[]> {
    const prepared: { row: Row; receipt: FeedbackReceipt }[] = []
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
    await this.store.write(
      feedbackTable.name,
      prepared.map(({ row }) => row),
    )
    for (const [index, { receipt }] of prepared.entries()) this.successors.forget(batch[index]!.project_id, receipt.id)
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
  ): Promise<{ row: Row; receipt: FeedbackReceipt }> {
    const id = feedback.id == null ? newId() : requireId('id', feedback.id)
    const type = neutralFeedbackType(feedback.feedback_type)
    const payload = await checkFeedback(writer, feedback, type, references)
    const { projectId, userId } = writer
    return {
      row: feedbackRow(feedback, { projectId, id, userId, createdAtMicros, type, payload }),
      receipt: { id, created_at: formatTime(createdAtMicros), ext_user_id: userId, payload },
    }
  }
}
