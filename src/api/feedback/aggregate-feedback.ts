import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { FeedbackAggregate, FeedbackAggregateQuestion } from '../../model/feedback.ts'
import type { Services } from '../../services.ts'

export const aggregateFeedbackRoute = {
  body: FeedbackAggregateQuestion,
  response: { 200: FeedbackAggregate },
  detail: {
    operationId: 'feedback.aggregate',
    summary: 'Count tags and add up ratings',
    description: 'By time and by who judged what. Buckets without feedback are left out.',
    tags: ['Feedback'],
  },
}

export const aggregateFeedback = (
  services: Services,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof aggregateFeedbackRoute.body>,
) => services.feedback.statistics.aggregate(caller.read(body.project_id), body, signal)
