import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { FeedbackStats, FeedbackStatsQuestion } from '../../model/feedback.ts'
import type { Services } from '../../services.ts'

export const feedbackStatsRoute = {
  body: FeedbackStatsQuestion,
  response: { 200: FeedbackStats },
  detail: {
    operationId: 'feedback.stats',
    summary: 'Figures over payloads, by time',
    description:
      'Every bucket of the range is there, also empty ones; `window_stats` is about the whole range, at most 31 days.',
    tags: ['Feedback'],
  },
}

export const feedbackStats = (
  services: Services,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof feedbackStatsRoute.body>,
) => services.feedback.statistics.stats(caller.read(body.project_id), body, signal)
