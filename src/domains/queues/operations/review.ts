import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { TimeText } from '../../../lib/time.ts'
import type { Caller } from '../../access/index.ts'
import { requestContext } from '../../requests/index.ts'
import {
  AssignablePerson,
  Claim,
  ClaimRequest,
  OfProjectBody,
  ReviewSettings,
  ReviewUpdate,
  Skip,
  Submission,
} from '../model/review.ts'
import { ItemPath, leaseEnded, placeOf, QueuePath, type QueuesServices, savingOf } from './services.ts'

const setReviewRoute = {
  params: QueuePath,
  body: ReviewUpdate,
  response: { 200: Type.Object({ review: ReviewSettings }) },
  detail: {
    operationId: 'annotationQueues.setReview',
    idempotencyKey: true,
    summary: 'Set how an annotation queue is reviewed',
    description: 'Members that are omitted or null are left unchanged. What reviewers fill in are its `scorer_refs`.',
    tags: ['Annotation Queues'],
  },
}

async function setReview(
  services: QueuesServices,
  caller: Caller,
  queueId: string,
  { project_id, reviewers_per_item, guidelines, lease_seconds, assigned_to }: Static<typeof setReviewRoute.body>,
) {
  const changes = {
    ...(reviewers_per_item != null && { reviewers_per_item }),
    ...(guidelines != null && { guidelines }),
    ...(lease_seconds != null && { lease_seconds }),
    ...(assigned_to != null && { assigned_to }),
  }
  return { review: await services.annotationQueues.queues.setReview(caller.write(project_id), queueId, changes) }
}

const assignableRoute = {
  body: OfProjectBody,
  response: { 200: Type.Object({ people: Type.Array(AssignablePerson) }) },
  detail: {
    operationId: 'annotationQueues.assignable',
    readOnly: true,
    summary: 'List the people to whom queues can be assigned',
    description:
      'Owners of keys that can write to the project, and people who have signed in with an account, by name. ' +
      'Requires the role `admin`.',
    tags: ['Annotation Queues'],
  },
}

async function assignable(services: QueuesServices, caller: Caller, projectId: string) {
  caller.administer(projectId)
  return { people: await services.access.peopleWhoMayWrite(projectId) }
}

const claimRoute = {
  params: QueuePath,
  body: ClaimRequest,
  response: { 200: Claim },
  detail: {
    operationId: 'annotationQueues.claim',
    summary: 'Claim the next item of an annotation queue',
    description:
      'Keeps an item for you until `expires_at`: one that you hold already, else the first that lacks an answer and ' +
      'that you have neither answered nor skipped. An item is never kept for more people than its queue asks for. ' +
      'With `item_id`, you can change your answer. If the queue is assigned to people, others are refused.',
    tags: ['Annotation Queues'],
    responses: leaseEnded,
  },
}

const claim = (
  services: QueuesServices,
  caller: Caller,
  queueId: string,
  { project_id, ...request }: Static<typeof claimRoute.body>,
) => services.annotationQueues.reviews.claim(caller.write(project_id), queueId, request)

const renewRoute = {
  params: ItemPath,
  body: OfProjectBody,
  response: { 200: Type.Object({ expires_at: TimeText }) },
  detail: {
    operationId: 'annotationQueues.renew',
    summary: 'Keep a claimed item for longer',
    tags: ['Annotation Queues'],
    responses: leaseEnded,
  },
}

const renew = async (services: QueuesServices, caller: Caller, path: Static<typeof ItemPath>, projectId: string) => ({
  expires_at: await services.annotationQueues.reviews.renew(caller.write(projectId), placeOf(path)),
})

const releaseRoute = {
  params: ItemPath,
  body: OfProjectBody,
  response: { 200: Type.Object({}) },
  detail: {
    operationId: 'annotationQueues.release',
    summary: 'Let others have a claimed item',
    tags: ['Annotation Queues'],
  },
}

async function release(services: QueuesServices, caller: Caller, path: Static<typeof ItemPath>, projectId: string) {
  await services.annotationQueues.reviews.release(caller.write(projectId), placeOf(path))
  return {}
}

const submitRoute = {
  params: ItemPath,
  body: Submission,
  response: { 200: Type.Object({ feedback_ids: Type.Array(Type.String()) }) },
  detail: {
    operationId: 'annotationQueues.submit',
    summary: 'Answer a claimed item',
    description:
      'Stores the answers as feedback on the call, completes the item for you, and ends the lease. Answers that you ' +
      'gave before are replaced. Nothing is stored if an answer does not match its spec, or if the lease has ended.',
    tags: ['Annotation Queues'],
    responses: leaseEnded,
  },
}

async function submit(
  services: QueuesServices,
  caller: Caller,
  path: Static<typeof ItemPath>,
  { project_id, ...submission }: Static<typeof submitRoute.body>,
) {
  const writer = caller.write(project_id)
  const save = savingOf(services, writer)
  const feedback_ids = await services.annotationQueues.reviews.submit(writer, placeOf(path), submission, save)
  return { feedback_ids: [...feedback_ids] }
}

const skipRoute = {
  params: ItemPath,
  body: Skip,
  response: { 200: Type.Object({}) },
  detail: {
    operationId: 'annotationQueues.skip',
    summary: 'Skip a claimed item',
    description:
      'You do not get the item again unless you claim it by its id. Others still get it. Answers that you gave ' +
      'before are removed.',
    tags: ['Annotation Queues'],
    responses: leaseEnded,
  },
}

async function skip(
  services: QueuesServices,
  caller: Caller,
  path: Static<typeof ItemPath>,
  { project_id, reason }: Static<typeof skipRoute.body>,
) {
  const writer = caller.write(project_id)
  const remove = (ids: readonly string[]) => services.feedback.writer.remove(writer, ids)
  await services.annotationQueues.reviews.skip(writer, placeOf(path), reason, remove)
  return {}
}

/** The work of reviewers. */
export const queueReviewApi = (services: QueuesServices) =>
  new Elysia({ normalize: false })
    .decorate(requestContext)
    .post(
      '/annotation_queues/assignable',
      ({ caller, body }) => assignable(services, caller, body.project_id),
      assignableRoute,
    )
    .put(
      '/annotation_queues/:queue_id/review',
      ({ caller, params, body }) => setReview(services, caller, params.queue_id, body),
      setReviewRoute,
    )
    .post(
      '/annotation_queues/:queue_id/claim',
      ({ caller, params, body }) => claim(services, caller, params.queue_id, body),
      claimRoute,
    )
    .post(
      '/annotation_queues/:queue_id/items/:item_id/renew',
      ({ caller, params, body }) => renew(services, caller, params, body.project_id),
      renewRoute,
    )
    .post(
      '/annotation_queues/:queue_id/items/:item_id/release',
      ({ caller, params, body }) => release(services, caller, params, body.project_id),
      releaseRoute,
    )
    .post(
      '/annotation_queues/:queue_id/items/:item_id/submit',
      ({ caller, params, body }) => submit(services, caller, params, body),
      submitRoute,
    )
    .post(
      '/annotation_queues/:queue_id/items/:item_id/skip',
      ({ caller, params, body }) => skip(services, caller, params, body),
      skipRoute,
    )
