import { Elysia } from 'elysia'
import type { RequestContext } from '../../requests/request-context.ts'
import { aggregateFeedback, aggregateFeedbackRoute } from './aggregate-feedback.ts'
import { createFeedback, createFeedbackRoute } from './create-feedback.ts'
import { createFeedbackBatch, createFeedbackBatchRoute } from './create-feedback-batch.ts'
import { feedbackStats, feedbackStatsRoute } from './feedback-stats.ts'
import { payloadSchema, payloadSchemaRoute } from './payload-schema.ts'
import { purgeFeedback, purgeFeedbackRoute } from './purge-feedback.ts'
import { queryFeedback, queryFeedbackRoute } from './query-feedback.ts'
import { replaceFeedback, replaceFeedbackRoute } from './replace-feedback.ts'
import type { FeedbackServices } from './services.ts'

/** Feedback operations. */
export const feedbackApi = (services: FeedbackServices) =>
  new Elysia({ normalize: false })
    .decorate({} as RequestContext)
    .post('/feedback/create', ({ caller, body }) => createFeedback(services, caller, body), createFeedbackRoute)
    .post(
      '/feedback/batch/create',
      ({ caller, body }) => createFeedbackBatch(services, caller, body),
      createFeedbackBatchRoute,
    )
    .post(
      '/feedback/query',
      ({ caller, request, body }) => queryFeedback(services, caller, request, body),
      queryFeedbackRoute,
    )
    .post('/feedback/purge', ({ caller, body }) => purgeFeedback(services, caller, body), purgeFeedbackRoute)
    .post('/feedback/replace', ({ caller, body }) => replaceFeedback(services, caller, body), replaceFeedbackRoute)
    .post(
      '/feedback/stats',
      ({ caller, request, body }) => feedbackStats(services, caller, request, body),
      feedbackStatsRoute,
    )
    .post(
      '/feedback/payload_schema',
      ({ caller, request, body }) => payloadSchema(services, caller, request, body),
      payloadSchemaRoute,
    )
    .post(
      '/feedback/aggregate',
      ({ caller, request, body }) => aggregateFeedback(services, caller, request, body),
      aggregateFeedbackRoute,
    )
