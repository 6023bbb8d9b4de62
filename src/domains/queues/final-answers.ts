import { feedbackTable } from '../../engine/tables/feedback-table.ts'
import { progressTable, queueItemsTable } from '../../engine/tables/queue-tables.ts'
import { finalAnswerTypeOf } from '../../formats/dialect/feedback-type.ts'
import { findRef } from '../../formats/dialect/parsed-ref.ts'
import { parseExactly } from '../../formats/wire/exact-json.ts'
import { DomainError, quoted } from '../../lib/errors.ts'
import { derivedId } from '../../lib/ids.ts'
import { operationLimits } from '../../lib/limits/operations.ts'
import type { ProjectWriter } from '../access/index.ts'
import type { FeedbackCreate } from '../feedback/index.ts'
import type { Decision, SettledQueue } from './model/final-answers.ts'
import type { QueueItems } from './queue-items.ts'
import type { QueueDependencies, Queues } from './queues.ts'
import { noItem, type Place, type SaveFeedback } from './reviews.ts'
import {
  type AnswersRelations,
  type AnswersScope,
  compileAgreedAnswers,
  compileAnsweredItems,
  compileFinalAnswers,
} from './sql/given-answers.ts'

/** Deletes feedback by id. */
type RemoveFeedback = (ids: readonly string[]) => Promise<void>

/** Why an answer is final. */
type FinalBy = 'decision' | 'agreement'

/**
 * The final answers to the questions of a queue: what somebody decided, or what all reviewers of an
 * item answered. They are feedback of their own; what the reviewers answered stays. See
 * docs/decisions/238-final-answers.md.
 */
export class FinalAnswers {
  private readonly deps: QueueDependencies
  private readonly queues: Queues
  private readonly items: QueueItems

  constructor(deps: QueueDependencies, queues: Queues, items: QueueItems) {
    this.deps = deps
    this.queues = queues
    this.items = items
  }

  /**
   * Stores what somebody decided about an item.
   *
   * @throws DomainError NotFound; InvalidRequest if the item has no answers, or for answers
   *   that their specs refuse; AlreadyDecided
   */
  async decide(
    writer: ProjectWriter,
    place: Place,
    { answers, reason, replace }: Omit<Decision, 'project_id'>,
    save: SaveFeedback,
  ): Promise<readonly string[]> {
    return await this.deps.locks.run(place.queueId, async () => {
      await this.queues.require(writer, place.queueId)
      const item = await this.items.find(writer, place.queueId, place.itemId)
      if (item === undefined) throw noItem(place.queueId, place.itemId)
      if (answers.length === 0)
        throw new DomainError('InvalidRequest', '`answers` is empty: decide a question at least')
      const { finals, answered } = await this.read(writer, place, async (snapshot, scope, relations) => ({
        finals: await snapshot.rows(compileFinalAnswers(scope, relations)),
        answered: await snapshot.rows(compileAnsweredItems(scope, relations)),
      }))
      if ((answered[0]?.answers ?? 0) === 0)
        throw new DomainError('InvalidRequest', `Item ${quoted(place.itemId)} has no answers to decide between`)
      const others = finals.find(({ by, user_id }) => by === 'decision' && user_id !== writer.userId)
      if (others !== undefined && replace !== true)
        throw new DomainError(
          'AlreadyDecided',
          `Item ${quoted(place.itemId)} was decided by ${quoted(others.user_id)}: send \`replace\` to decide it anew`,
        )
      const why = reason ? { reason } : {}
      const given = answers.map(({ annotation_ref, value }) =>
        finalAnswer(writer, { ...place, callId: item.call_id }, annotation_ref, { value, by: 'decision', ...why }),
      )
      return await save(given, [])
    })
  }

  /**
   * Takes back what was decided about an item.
   *
   * @returns how many answers
   * @throws DomainError NotFound
   */
  async undecide(writer: ProjectWriter, place: Place, remove: RemoveFeedback): Promise<number> {
    return await this.deps.locks.run(place.queueId, async () => {
      await this.queues.require(writer, place.queueId)
      const finals = await this.read(writer, place, async (snapshot, scope, relations) =>
        snapshot.rows(compileFinalAnswers(scope, relations)),
      )
      const ids = finals.filter(({ by }) => by === 'decision').map(({ id }) => id)
      if (ids.length > 0) await remove(ids)
      return ids.length
    })
  }

  /**
   * Stores the answers on which all reviewers of an item agree, and removes those on which they no
   * longer do. Decisions stay. The same request again changes nothing.
   *
   * @throws DomainError NotFound
   */
  async settle(
    writer: ProjectWriter,
    queueId: string,
    save: SaveFeedback,
    remove: RemoveFeedback,
  ): Promise<SettledQueue> {
    return await this.deps.locks.run(queueId, async () => {
      const { reviewers_per_item } = await this.queues.review(writer, queueId)
      const { agreed, finals } = await this.read(writer, { queueId }, async (snapshot, scope, relations) => ({
        agreed: await snapshot.rows(compileAgreedAnswers(scope, reviewers_per_item, relations)),
        finals: await snapshot.rows(compileFinalAnswers(scope, relations)),
      }))
      const known = new Map(finals.map((each) => [each.id, each]))
      const wanted = agreed.map((each) => ({ ...each, id: finalId(each.item_id, each.annotation_ref) }))
      const missing = wanted.filter(({ id, value }) => {
        const stored = known.get(id)
        return stored === undefined || (stored.by !== 'decision' && stored.value !== value)
      })
      const agreedIds = new Set(wanted.map(({ id }) => id))
      const stale = finals.filter(({ id, by }) => by !== 'decision' && !agreedIds.has(id)).map(({ id }) => id)
      for (let from = 0; from < missing.length; from += operationLimits.finalAnswersTogether) {
        const some = missing.slice(from, from + operationLimits.finalAnswersTogether)
        await save(
          some.map(({ item_id: itemId, call_id: callId, annotation_ref, value, answers }) =>
            finalAnswer(writer, { queueId, itemId, callId }, annotation_ref, {
              value: parseExactly(value),
              by: 'agreement',
              answers,
            }),
          ),
          [],
        )
      }
      if (stale.length > 0) await remove(stale)
      const kept = finals.length - stale.length
      const added = missing.filter(({ id }) => !known.has(id)).length
      return { stored_count: missing.length, removed_count: stale.length, final_count: kept + added }
    })
  }

  private async read<Found>(
    { projectId }: ProjectWriter,
    { queueId, itemId }: { readonly queueId: string; readonly itemId?: string },
    use: (snapshot: AnswersSnapshot, scope: AnswersScope, relations: AnswersRelations) => Promise<Found>,
  ): Promise<Found> {
    const where = { queue_id: [queueId] }
    const tables = [queueItemsTable.name, progressTable.name, feedbackTable.name]
    return await this.deps.store.read(tables, { projectId }, (snapshot) =>
      use(
        snapshot,
        { projectId, queueId, itemId },
        {
          items: snapshot.relation(queueItemsTable.name, where),
          progress: snapshot.relation(progressTable.name, where),
          feedback: snapshot.relation(feedbackTable.name),
        },
      ),
    )
  }
}

type AnswersSnapshot = Pick<Parameters<Parameters<QueueDependencies['store']['read']>[2]>[0], 'rows'>

const finalId = (itemId: string, annotationRef: string): string => derivedId(itemId, 'final', annotationRef)

/** The feedback that holds a final answer; equal ids, so that it replaces the one before. */
function finalAnswer(
  { projectId }: ProjectWriter,
  { queueId, itemId, callId }: Place & { readonly callId: string },
  annotation_ref: string,
  payload: { readonly value: unknown; readonly by: FinalBy; readonly reason?: string; readonly answers?: number },
): FeedbackCreate {
  const parsed = findRef(annotation_ref)
  return {
    project_id: projectId,
    id: finalId(itemId, annotation_ref),
    ext_ref: `ext:///${projectId}/call/${callId}`,
    queue_id: queueId,
    feedback_type: finalAnswerTypeOf(parsed?.kind === 'object' ? parsed.name : annotation_ref),
    annotation_ref,
    payload,
  }
}
