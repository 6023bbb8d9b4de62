import { progressTable, queueItemsTable } from '../../engine/tables/queue-tables.ts'
import { findRef } from '../../formats/dialect/parsed-ref.ts'
import { DomainError, quoted } from '../../lib/errors.ts'
import { derivedId } from '../../lib/ids.ts'
import { formatTime } from '../../lib/time.ts'
import type { ProjectWriter } from '../access/index.ts'
import type { FeedbackCreate } from '../feedback/index.ts'
import type { QueueItem } from './model/annotation-queues.ts'
import type { Claim, ClaimRequest, Lease, Submission } from './model/review.ts'
import type { QueueItems } from './queue-items.ts'
import type { QueueDependencies, Queues } from './queues.ts'
import { compileOpenItems } from './sql/open-items.ts'

/** Stores feedback and removes what it replaces, all or none. @returns the ids of what is stored */
export type SaveFeedback = (
  feedback: readonly FeedbackCreate[],
  replaced: readonly string[],
) => Promise<readonly string[]>

/** An item of a queue. */
export interface Place {
  readonly queueId: string
  readonly itemId: string
}

/**
 * Hands items to reviewers, each to as many people as the queue asks for, and takes their answers.
 * What is done in one queue is done one after the other.
 */
export class Reviews {
  private readonly deps: QueueDependencies
  private readonly queues: Queues
  private readonly items: QueueItems

  constructor(deps: QueueDependencies, queues: Queues, items: QueueItems) {
    this.deps = deps
    this.queues = queues
    this.items = items
  }

  /**
   * Keeps an item for the caller: one that they hold already, else the first that lacks an answer.
   *
   * @throws DomainError NotFound; Forbidden if the queue is assigned to others; LeaseEnded if a
   *   named item has all its answers
   */
  async claim(writer: ProjectWriter, queueId: string, request: Omit<ClaimRequest, 'project_id'>): Promise<Claim> {
    return await this.deps.locks.run(queueId, async () => {
      const { userId } = writer
      const review = await this.queues.reviewBy(writer, queueId)
      const leases = this.deps.leases.of(queueId, this.nowMs())
      const except = new Set(request.except ?? [])
      const wanted = request.item_id ?? undefined
      const rows = await this.openItems(writer, queueId, {
        reviewersPerItem: review.reviewers_per_item,
        itemId: wanted,
        limit: leases.length + except.size + 1,
      })
      // Somebody who changes an answer holds the item and has answered it, but is one person.
      const others = ({ id, answered_by }: (typeof rows)[number]) => {
        const holders = leases.filter(({ itemId }) => itemId === id).map((lease) => lease.userId)
        const people = new Set([...answered_by, ...holders])
        people.delete(userId)
        return people.size
      }
      const hasRoom = (row: (typeof rows)[number]) => row.own === 'completed' || others(row) < review.reviewers_per_item
      const free = rows.filter((row) => row.id !== '' && !except.has(row.id))
      const own = free.find(({ id }) => leases.some((lease) => lease.itemId === id && lease.userId === userId))
      const chosen = own ?? free.find(hasRoom)
      const counts = { yours: rows[0]?.yours ?? 0, left: rows[0]?.left ?? 0 }
      if (wanted !== undefined && chosen === undefined) {
        if (free.length === 0) throw noItem(queueId, wanted)
        throw new DomainError('LeaseEnded', `Item ${quoted(wanted)} has all its answers, or others are working on it`)
      }
      if (chosen === undefined) return { claim: null, ...counts }
      const place = { queueId, itemId: chosen.id }
      const item = await this.requireItem(writer, place)
      return { claim: this.hold(writer, place, { item, seconds: review.lease_seconds }), ...counts }
    })
  }

  /** Keeps an item for longer. @throws DomainError NotFound; LeaseEnded */
  async renew(writer: ProjectWriter, place: Place): Promise<string> {
    const { lease_seconds } = await this.queues.review(writer, place.queueId)
    this.requireLease(writer, place)
    return formatTime(this.extend(writer, place, lease_seconds))
  }

  /** Lets others have an item. */
  async release(writer: ProjectWriter, place: Place): Promise<void> {
    await this.queues.require(writer, place.queueId)
    this.deps.leases.end({ ...place, userId: writer.userId })
  }

  /**
   * Takes the caller's answers for an item that they hold; answers given before are replaced.
   *
   * @throws DomainError NotFound; InvalidRequest for answers that their specs refuse; LeaseEnded
   */
  async submit(
    writer: ProjectWriter,
    place: Place,
    { answers, note }: Omit<Submission, 'project_id'>,
    save: SaveFeedback,
  ): Promise<readonly string[]> {
    return await this.deps.locks.run(place.queueId, async () => {
      const { scorerRefs } = await this.queues.review(writer, place.queueId)
      this.requireLease(writer, place)
      const { call_id } = await this.requireItem(writer, place)
      const shared = {
        project_id: writer.projectId,
        ext_ref: `ext:///${writer.projectId}/call/${call_id}`,
        queue_id: place.queueId,
      }
      // Equal ids, so that an answer given again replaces the one before.
      const idOf = answerIds(writer, place)
      const feedback = answers.map(({ annotation_ref, value }) => ({
        ...shared,
        id: idOf(annotation_ref),
        feedback_type: `ext.annotation.${nameIn(annotation_ref)}`,
        annotation_ref,
        payload: { value },
      }))
      const notes = note ? [{ ...shared, id: idOf(noteKey), feedback_type: 'ext.note.1', payload: { note } }] : []
      const all = [...feedback, ...notes]
      const kept = new Set(all.map(({ id }) => id))
      const ids = await save(
        all,
        [...scorerRefs, noteKey].map(idOf).filter((id) => !kept.has(id)),
      )
      await this.finish(writer, place, 'completed', null)
      return ids
    })
  }

  /**
   * Finishes an item without an answer: the caller does not get it again. Answers that they gave
   * before are removed. @throws as `submit`
   */
  async skip(
    writer: ProjectWriter,
    place: Place,
    reason: string,
    remove: (feedbackIds: readonly string[]) => Promise<void>,
  ): Promise<void> {
    await this.deps.locks.run(place.queueId, async () => {
      const { scorerRefs } = await this.queues.review(writer, place.queueId)
      this.requireLease(writer, place)
      await this.requireItem(writer, place)
      await this.finish(writer, place, 'skipped', reason)
      await remove([...scorerRefs, noteKey].map(answerIds(writer, place)))
    })
  }

  private async openItems(
    { projectId, userId }: ProjectWriter,
    queueId: string,
    wanted: { readonly reviewersPerItem: number; readonly itemId: string | undefined; readonly limit: number },
  ) {
    return await this.deps.store.read([queueItemsTable.name, progressTable.name], { projectId }, async (snapshot) => {
      const where = { queue_id: [queueId] }
      const sql = compileOpenItems(
        { projectId, queueId, userId, ...wanted },
        {
          items: snapshot.relation(queueItemsTable.name, where),
          progress: snapshot.relation(progressTable.name, where),
        },
      )
      return await snapshot.rows(sql)
    })
  }

  private hold(
    writer: ProjectWriter,
    place: Place,
    { item, seconds }: { readonly item: QueueItem; readonly seconds: number },
  ): Lease {
    return { item, expires_at: formatTime(this.extend(writer, place, seconds)), lease_seconds: seconds }
  }

  /** @returns when the lease ends, in microseconds */
  private extend({ userId }: ProjectWriter, place: Place, seconds: number): number {
    const untilMs = this.nowMs() + seconds * 1000
    this.deps.leases.hold({ ...place, userId, untilMs }, this.nowMs())
    return untilMs * 1000
  }

  private requireLease({ userId }: ProjectWriter, place: Place): void {
    if (this.deps.leases.isHeld({ ...place, userId }, this.nowMs())) return
    throw new DomainError(
      'LeaseEnded',
      `Item ${quoted(place.itemId)} is not kept for you: your lease has ended. Claim it again`,
    )
  }

  private async requireItem(writer: ProjectWriter, { queueId, itemId }: Place): Promise<QueueItem> {
    const item = await this.items.find(writer, queueId, itemId, { withPosition: true })
    if (item === undefined) throw noItem(queueId, itemId)
    return item
  }

  private async finish(
    { projectId, userId }: ProjectWriter,
    { queueId, itemId }: Place,
    state: 'completed' | 'skipped',
    reason: string | null,
  ): Promise<void> {
    const now = this.deps.clock.nowMicros()
    const lease = { queueId, itemId, userId }
    const nowMs = Math.floor(now / 1000)
    const begunMs = this.deps.leases.begunMs(lease, nowMs)
    await this.deps.store.write(progressTable.name, [
      progressTable.row({
        project_id: projectId,
        id: `${itemId}/${userId}`,
        queue_id: queueId,
        item_id: itemId,
        annotator_user_id: userId,
        annotation_state: state,
        created_at: begunMs * 1000,
        updated_at: now,
        reason,
      }),
    ])
    this.deps.leases.finish(lease, nowMs)
  }

  private nowMs(): number {
    return Math.floor(this.deps.clock.nowMicros() / 1000)
  }
}

/** What the id of a note follows from, in place of the ref of an annotation. */
const noteKey = 'note'

/** Ids of the feedback of a person on an item, from the refs of the annotations. */
const answerIds =
  ({ userId }: ProjectWriter, { itemId }: Place) =>
  (what: string): string =>
    derivedId(itemId, userId, what)

/** The name of the object in a ref; feedback refuses a ref of anything else. */
function nameIn(ref: string): string {
  const parsed = findRef(ref)
  return parsed?.kind === 'object' ? parsed.name : ref
}

/** The refusal of an item that is not in the queue. */
export const noItem = (queueId: string, itemId: string) =>
  new DomainError('NotFound', `Queue item ${quoted(itemId)} not found in queue ${quoted(queueId)}: it was removed`)
