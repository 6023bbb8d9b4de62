import { type Static, Type } from '@sinclair/typebox'
import { OpenObject } from '../../../formats/schemas/nullable.ts'
import type { Caller } from '../../access/caller.ts'
import { FeedbackCreate, FeedbackReceipt } from '../model/feedback.ts'
import type { FeedbackServices } from './services.ts'

export const createFeedbackBatchRoute = {
  body: OpenObject({ batch: Type.Array(FeedbackCreate) }),
  response: { 200: Type.Object({ res: Type.Array(FeedbackReceipt) }) },
  detail: {
    operationId: 'feedback.createBatch',
    idempotencyKey: true,
    summary: 'Create feedback in bulk',
    description: 'Either all feedback is stored or none.',
    tags: ['Feedback'],
  },
}

export const createFeedbackBatch = async (
  services: FeedbackServices,
  caller: Caller,
  { batch }: Static<typeof createFeedbackBatchRoute.body>,
) => ({ res: await services.feedback.writer.createBatch((projectId) => caller.write(projectId), batch) })
