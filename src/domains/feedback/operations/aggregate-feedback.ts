import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../access/caller.ts'
import { FeedbackAggregate, FeedbackAggregateRequest } from '../model/feedback.ts'
import type { FeedbackServices } from './services.ts'

export const aggregateFeedbackRoute = {
  body: FeedbackAggregateRequest,
  response: { 200: FeedbackAggregate },
  detail: {
    operationId: 'feedback.aggregate',
    readOnly: true,
    summary: 'Aggregate tags and ratings',
    description: 'Counts tags and sums ratings per time bucket and group. Empty buckets are omitted.',
    tags: ['Feedback'],
  },
}

export const aggregateFeedback = (
  services: FeedbackServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof aggregateFeedbackRoute.body>,
) => services.feedback.statistics.aggregate(caller.read(body.project_id), body, signal)
