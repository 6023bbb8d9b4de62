import { type Static, Type } from '@sinclair/typebox'
import { TimeText } from '../../../lib/time.ts'
import type { Caller } from '../../access/index.ts'
import { AssignablePerson, Claim, ClaimRequest, OfProjectBody, ReviewSettings, ReviewUpdate } from '../model/review.ts'
import { ItemPath, leaseEnded, placeOf, QueuePath, type QueuesServices } from './services.ts'

export const setReviewRoute = {
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

export async function setReview(
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

export const assignableRoute = {
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

export async function assignable(services: QueuesServices, caller: Caller, projectId: string) {
  caller.administer(projectId)
  return { people: await services.access.peopleWhoMayWrite(projectId) }
}

export const claimRoute = {
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

export const claim = (
  services: QueuesServices,
  caller: Caller,
  queueId: string,
  { project_id, ...request }: Static<typeof claimRoute.body>,
) => services.annotationQueues.reviews.claim(caller.write(project_id), queueId, request)

export const renewRoute = {
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

export const renew = async (
  services: QueuesServices,
  caller: Caller,
  path: Static<typeof ItemPath>,
  projectId: string,
) => ({ expires_at: await services.annotationQueues.reviews.renew(caller.write(projectId), placeOf(path)) })

export const releaseRoute = {
  params: ItemPath,
  body: OfProjectBody,
  response: { 200: Type.Object({}) },
  detail: {
    operationId: 'annotationQueues.release',
    summary: 'Let others have a claimed item',
    tags: ['Annotation Queues'],
  },
}

export async function release(
  services: QueuesServices,
  caller: Caller,
  path: Static<typeof ItemPath>,
  projectId: string,
) {
  await services.annotationQueues.reviews.release(caller.write(projectId), placeOf(path))
  return {}
}
