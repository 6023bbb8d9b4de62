import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Caller, ProjectWriter } from '../../access/index.ts'
import type { FeedbackCreate } from '../../feedback/index.ts'
import { requestContext } from '../../requests/index.ts'
import { Decision, GoldItems, KnownAnswers, SettledQueue } from '../model/final-answers.ts'
import { OfProjectBody } from '../model/review.ts'
import { ItemPath, placeOf, QueuePath, type QueuesServices, savingOf } from './services.ts'

const decideRoute = {
  params: ItemPath,
  body: Decision,
  response: { 200: Type.Object({ feedback_ids: Type.Array(Type.String()) }) },
  detail: {
    operationId: 'annotationQueues.decide',
    idempotencyKey: true,
    summary: 'Decide an item on which reviewers disagree',
    description:
      'Stores final answers as feedback of the types `final_answer.…` on the call. What the reviewers answered ' +
      'stays, and agreement is computed from that. Your own decision is replaced; that of another person only with ' +
      '`replace`.',
    tags: ['Annotation Queues'],
    responses: { 409: { description: 'Another person has decided the item' } },
  },
}

const decide = async (
  services: QueuesServices,
  caller: Caller,
  path: Static<typeof ItemPath>,
  { project_id, ...decision }: Static<typeof decideRoute.body>,
) => {
  const writer = caller.write(project_id)
  const { finals } = services.annotationQueues
  return { feedback_ids: [...(await finals.decide(writer, placeOf(path), decision, savingOf(services, writer)))] }
}

const undecideRoute = {
  params: ItemPath,
  body: OfProjectBody,
  response: { 200: Type.Object({ removed_count: Type.Integer() }) },
  detail: {
    operationId: 'annotationQueues.undecide',
    idempotencyKey: true,
    summary: 'Take back the decision about an item',
    tags: ['Annotation Queues'],
  },
}

const undecide = async (services: QueuesServices, caller: Caller, path: Static<typeof ItemPath>, projectId: string) => {
  const writer = caller.write(projectId)
  const { finals } = services.annotationQueues
  return { removed_count: await finals.undecide(writer, placeOf(path), removingOf(services, writer)) }
}

const settleRoute = {
  params: QueuePath,
  body: OfProjectBody,
  response: { 200: SettledQueue },
  detail: {
    operationId: 'annotationQueues.settle',
    idempotencyKey: true,
    summary: 'Make the answers final on which all reviewers agree',
    description:
      'Of each item with as many answers as the queue asks for, stores those that are equal, as feedback of the ' +
      'types `final_answer.…` on the call. Decisions stay as they are; the same request again changes nothing.',
    tags: ['Annotation Queues'],
  },
}

const settle = (services: QueuesServices, caller: Caller, queueId: string, projectId: string) => {
  const writer = caller.write(projectId)
  const { finals } = services.annotationQueues
  const save = async (given: readonly FeedbackCreate[]) =>
    (await services.feedback.writer.createBatch(() => writer, given)).map(({ id }) => id)
  return finals.settle(writer, queueId, save, removingOf(services, writer))
}

const removingOf =
  ({ feedback }: QueuesServices, writer: ProjectWriter) =>
  (ids: readonly string[]): Promise<void> =>
    feedback.writer.remove(writer, ids)

const setGoldRoute = {
  params: ItemPath,
  body: KnownAnswers,
  response: { 200: Type.Object({}) },
  detail: {
    operationId: 'annotationQueues.setGold',
    idempotencyKey: true,
    summary: 'Say which answers to an item are right',
    description:
      'Requires the role `admin`. Reviewers get the item like any other; `/gold` says how many of them each person ' +
      'answers right. Without answers, it is an ordinary item again.',
    tags: ['Annotation Queues'],
  },
}

const setGold = async (
  services: QueuesServices,
  caller: Caller,
  path: Static<typeof ItemPath>,
  { project_id, answers }: Static<typeof setGoldRoute.body>,
) => {
  const admin = caller.administer(project_id)
  const check = ({ annotation_ref, value }: { annotation_ref: string; value: unknown }, callId: string) => {
    const name = /\/object\/([^/:]+)/.exec(annotation_ref)?.[1] ?? annotation_ref
    const feedback: FeedbackCreate = {
      project_id,
      ext_ref: `ext:///${project_id}/call/${callId}`,
      feedback_type: `ext.annotation.${decodeURIComponent(name)}`,
      annotation_ref,
      payload: { value },
    }
    return services.feedback.writer.check(admin, feedback)
  }
  await services.annotationQueues.gold.set(admin, placeOf(path), answers, check)
  return {}
}

const readGoldRoute = {
  params: QueuePath,
  body: OfProjectBody,
  response: { 200: GoldItems },
  detail: {
    operationId: 'annotationQueues.gold',
    summary: 'Get the gold items of a queue, and how many each person answers right',
    description: 'Requires the role `admin`. A gold item is right if every known answer was given.',
    tags: ['Annotation Queues'],
  },
}

const readGold = (services: QueuesServices, caller: Caller, queueId: string, projectId: string) =>
  services.annotationQueues.gold.read(caller.administer(projectId), queueId)

/** What becomes of the answers of reviewers. */
export const finalAnswersApi = (services: QueuesServices) =>
  new Elysia({ normalize: false })
    .decorate(requestContext)
    .post(
      '/annotation_queues/:queue_id/items/:item_id/decide',
      ({ caller, params, body }) => decide(services, caller, params, body),
      decideRoute,
    )
    .post(
      '/annotation_queues/:queue_id/items/:item_id/undecide',
      ({ caller, params, body }) => undecide(services, caller, params, body.project_id),
      undecideRoute,
    )
    .post(
      '/annotation_queues/:queue_id/settle',
      ({ caller, params, body }) => settle(services, caller, params.queue_id, body.project_id),
      settleRoute,
    )
    .put(
      '/annotation_queues/:queue_id/items/:item_id/gold',
      ({ caller, params, body }) => setGold(services, caller, params, body),
      setGoldRoute,
    )
    .post(
      '/annotation_queues/:queue_id/gold',
      ({ caller, params, body }) => readGold(services, caller, params.queue_id, body.project_id),
      readGoldRoute,
    )
