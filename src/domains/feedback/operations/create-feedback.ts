import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../access/caller.ts'
import { FeedbackCreate, FeedbackReceipt } from '../model/feedback.ts'
import type { FeedbackServices } from './services.ts'

export const createFeedbackRoute = {
  body: FeedbackCreate,
  response: { 200: FeedbackReceipt },
  detail: {
    operationId: 'feedback.create',
    idempotencyKey: true,
    summary: 'Create feedback',
    description:
      'The payload of built-in feedback types is validated; other types accept any object. Returns the payload ' +
      'as stored.',
    tags: ['Feedback'],
  },
}

export const createFeedback = (
  services: FeedbackServices,
  caller: Caller,
  body: Static<typeof createFeedbackRoute.body>,
) => services.feedback.writer.create(caller.write(body.project_id), body)
