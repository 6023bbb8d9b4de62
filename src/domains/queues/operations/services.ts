import { type Static, Type } from '@sinclair/typebox'
import type { Access, ProjectWriter } from '../../access/index.ts'
import type { Costs } from '../../costs/index.ts'
import type { Feedback, FeedbackCreate } from '../../feedback/index.ts'
import type { Streams } from '../../requests/index.ts'
import type { AnnotationQueues } from '../annotation-queues.ts'

/** The services that these operations are given. */
export interface QueuesServices {
  readonly annotationQueues: AnnotationQueues
  readonly streams: Streams
  readonly feedback: Feedback
  readonly costs: Costs
  /** Who people are. */
  readonly access: Pick<Access, 'usernames' | 'peopleWhoMayWrite'>
}

/** Path parameters of operations on one queue. */
export const QueuePath = Type.Object({ queue_id: Type.String() })

/** The same of operations on one item. */
export const ItemPath = Type.Object({ queue_id: Type.String(), item_id: Type.String() })

export const placeOf = ({ queue_id, item_id }: Static<typeof ItemPath>) => ({ queueId: queue_id, itemId: item_id })

/** The refusal of what somebody sends for an item that is no longer kept for them. */
export const leaseEnded = { 409: { description: 'The item is not kept for you: your lease has ended' } }

/** Stores feedback and removes what it replaces, all or none; a refusal names the annotation. */
export const savingOf =
  ({ feedback }: QueuesServices, writer: ProjectWriter) =>
  async (given: readonly FeedbackCreate[], replaced: readonly string[]): Promise<readonly string[]> => {
    for (const each of given) await feedback.writer.check(writer, each)
    return (await feedback.writer.createBatch(() => writer, given, { writer, ids: replaced })).map(({ id }) => id)
  }
