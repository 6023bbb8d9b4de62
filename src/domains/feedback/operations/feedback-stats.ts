import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../access/caller.ts'
import { FeedbackStats, FeedbackStatsRequest } from '../model/feedback.ts'
import type { FeedbackServices } from './services.ts'

export const feedbackStatsRoute = {
  body: FeedbackStatsRequest,
  response: { 200: FeedbackStats },
  detail: {
    operationId: 'feedback.stats',
    readOnly: true,
    summary: 'Get feedback statistics over time',
    description:
      'Aggregates values from feedback payloads into time buckets, including empty ones. `window_stats` covers ' +
      'the whole range, which is limited to 31 days unless the ' +
      'buckets are at least a day long.',
    tags: ['Feedback'],
  },
}

export const feedbackStats = (
  services: FeedbackServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof feedbackStatsRoute.body>,
) => services.feedback.statistics.stats(caller.read(body.project_id), body, signal)
