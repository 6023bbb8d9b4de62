import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../access/index.ts'
import { Skip, Submission } from '../model/review.ts'
import { ItemPath, leaseEnded, placeOf, type QueuesServices, savingOf } from './services.ts'

export const submitRoute = {
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

export async function submit(
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

export const skipRoute = {
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

export async function skip(
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
