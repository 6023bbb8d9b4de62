import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { Empty, FreeObject, OpenObject } from '../../../formats/schemas/members.ts'
import { PurgeRequest, RecordsRequest } from '../../../formats/schemas/records-request.ts'
import type { Caller } from '../../access/index.ts'
import { jsonListResponse, requestContext, type Streams } from '../../requests/index.ts'
import type { Feedback } from '../feedback.ts'
import { DistributionsRequest, FeedbackDistributions } from '../model/distributions.ts'
import {
  FeedbackAggregate,
  FeedbackAggregateRequest,
  FeedbackCreate,
  FeedbackReceipt,
  FeedbackReplace,
  FeedbackStats,
  FeedbackStatsRequest,
  PayloadPath,
  PayloadSchemaRequest,
} from '../model/feedback.ts'

const distributionsRoute = {
  body: DistributionsRequest,
  response: { 200: FeedbackDistributions },
  detail: {
    operationId: 'feedback.distributions',
    readOnly: true,
    summary: 'Get the distribution of feedback values',
    description:
      'Feedback on the calls that started within a time range, by type and, for scorers, by version: how often each ' +
      'value occurs, and its mean over time. A number of calls is that of a query over calls with the same ' +
      'condition, for example `feedback.[ext.runnable.polite:DIGEST].payload.output`.',
    tags: ['Feedback'],
  },
}

const feedbackDistributions = (
  { feedback }: { readonly feedback: Feedback },
  caller: Caller,
  { signal }: Request,
  body: Static<typeof DistributionsRequest>,
) => feedback.statistics.distributions(caller.read(body.project_id), body, signal)

/** The services that these operations are given. */
interface FeedbackServices {
  readonly feedback: Feedback
  readonly streams: Streams
}

const queryFeedbackRoute = {
  body: RecordsRequest,
  response: {
    200: Type.Object({
      result: Type.Array(FreeObject),
      total_count: Type.Integer({ description: 'Number of matches, regardless of `limit` and `offset`' }),
    }),
  },
  detail: {
    operationId: 'feedback.query',
    readOnly: true,
    summary: 'Query feedback',
    description:
      '`fields` selects columns or paths such as `payload.note`, or `count(*)`; all columns by default. Oldest first.',
    tags: ['Feedback'],
  },
}

/** Returns JSON text as stored: reserializing payloads would change numbers such as `1.0`. */
async function queryFeedback(
  services: FeedbackServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof queryFeedbackRoute.body>,
) {
  const reader = caller.read(body.project_id)
  const total_count = await services.feedback.reader.count(reader, body, signal)
  return await jsonListResponse(
    services.streams,
    'result',
    (left) => services.feedback.reader.query(reader, body, left),
    { clientLeft: signal, beside: { total_count } },
  )
}

const payloadSchemaRoute = {
  body: PayloadSchemaRequest,
  response: { 200: Type.Object({ paths: Type.Array(PayloadPath) }) },
  detail: {
    operationId: 'feedback.payloadSchema',
    readOnly: true,
    summary: 'List the paths in feedback payloads',
    description:
      'Returns the leaf paths and value types of the latest payload per `trigger_ref`, or per feedback type if ' +
      'there is no trigger.',
    tags: ['Feedback'],
  },
}

const payloadSchema = async (
  services: FeedbackServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof payloadSchemaRoute.body>,
) => ({ paths: await services.feedback.statistics.payloadSchema(caller.read(body.project_id), body, signal) })

const feedbackStatsRoute = {
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

const feedbackStats = (
  services: FeedbackServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof feedbackStatsRoute.body>,
) => services.feedback.statistics.stats(caller.read(body.project_id), body, signal)

const createFeedbackBatchRoute = {
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

const createFeedbackBatch = async (
  services: FeedbackServices,
  caller: Caller,
  { batch }: Static<typeof createFeedbackBatchRoute.body>,
) => ({ res: await services.feedback.writer.createBatch((projectId) => caller.write(projectId), batch) })

const purgeFeedbackRoute = {
  body: PurgeRequest,
  response: { 200: Empty },
  detail: {
    operationId: 'feedback.purge',
    idempotencyKey: true,
    summary: 'Purge feedback',
    description:
      'Deletes feedback permanently. `query` must select by id: `$eq` on `id`, or an `$or` of these. Unknown ' +
      'ids are ignored.',
    tags: ['Feedback'],
  },
}

async function purgeFeedback(
  services: FeedbackServices,
  caller: Caller,
  { project_id, query }: Static<typeof purgeFeedbackRoute.body>,
) {
  await services.feedback.writer.purge(caller.write(project_id), query)
  return {}
}

const aggregateFeedbackRoute = {
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

const aggregateFeedback = (
  services: FeedbackServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof aggregateFeedbackRoute.body>,
) => services.feedback.statistics.aggregate(caller.read(body.project_id), body, signal)

const createFeedbackRoute = {
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

const createFeedback = (services: FeedbackServices, caller: Caller, body: Static<typeof createFeedbackRoute.body>) =>
  services.feedback.writer.create(caller.write(body.project_id), body)

const replaceFeedbackRoute = {
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

const replaceFeedback = (services: FeedbackServices, caller: Caller, body: Static<typeof replaceFeedbackRoute.body>) =>
  services.feedback.writer.replace(caller.write(body.project_id), body)

/** Feedback operations. */
export const feedbackApi = (services: FeedbackServices) =>
  new Elysia({ normalize: false })
    .decorate(requestContext)
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
      '/feedback/distributions',
      ({ caller, request, body }) => feedbackDistributions(services, caller, request, body),
      distributionsRoute,
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
