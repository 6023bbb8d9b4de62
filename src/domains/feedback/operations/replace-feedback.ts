import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../access/caller.ts'
import { FeedbackReceipt, FeedbackReplace } from '../model/feedback.ts'
import type { FeedbackServices } from './services.ts'

export const replaceFeedbackRoute = {
  body: FeedbackReplace,
  response: { 200: FeedbackReceipt },
  detail: {
    operationId: 'feedback.replace',
    idempotencyKey: true,
    summary: 'Replace feedback',
    description: 'Replaces the feedback atomically. The new feedback gets a new id unless `id` is given.',
    tags: ['Feedback'],
  },
}

export const replaceFeedback = (
  services: FeedbackServices,
  caller: Caller,
  body: Static<typeof replaceFeedbackRoute.body>,
) => services.feedback.writer.replace(caller.write(body.project_id), body)
