import { Elysia } from 'elysia'
import type { RequestContext } from '../../../requests/request-context.ts'
import type { CallsServices } from '../services.ts'
import { callFields, callFieldsRoute } from './call-fields.ts'
import { callValues, callValuesRoute } from './call-values.ts'
import { completeCalls, completeCallsRoute } from './complete-calls.ts'
import { deleteCalls, deleteCallsRoute } from './delete-calls.ts'
import { endCall, endCallRoute } from './end-call.ts'
import { endCallV2, endCallV2Route } from './end-call-v2.ts'
import { liveCalls, liveCallsRoute } from './live-calls.ts'
import type { PreparedBodies } from './prepared-calls.ts'
import { queryCalls, queryCallsRoute } from './query-calls.ts'
import { queryStats, queryStatsRoute } from './query-stats.ts'
import { readCall, readCallRoute } from './read-call.ts'
import { searchCalls, searchCallsRoute } from './search-calls.ts'
import { startCall, startCallRoute } from './start-call.ts'
import { startCallV2, startCallV2Route } from './start-call-v2.ts'
import { streamQuery, streamQueryRoute } from './stream-query.ts'
import { updateCall, updateCallRoute } from './update-call.ts'
import { upsertBatch, upsertBatchRoute } from './upsert-batch.ts'

/** Call operations. */
export const callsApi = (services: CallsServices, nameOf: (member: string) => string, prepared: PreparedBodies) =>
  new Elysia({ normalize: false })
    .decorate({} as RequestContext)
    .post('/call/start', ({ caller, body }) => startCall(services, caller, body), startCallRoute)
    .post('/call/end', ({ caller, body }) => endCall(services, caller, body), endCallRoute)
    .post(
      '/call/upsert_batch',
      ({ caller, request, body }) => upsertBatch(services, caller, body, prepared.of(request)),
      upsertBatchRoute,
    )
    .post('/call/read', ({ caller, body }) => readCall(services, caller, body), readCallRoute)
    .post('/call/update', ({ caller, body }) => updateCall(services, caller, body), updateCallRoute)
    .post('/calls/delete', ({ caller, body }) => deleteCalls(services, caller, body), deleteCallsRoute)
    .post(
      '/calls/stream_query',
      ({ caller, request, body }) => streamQuery(services, caller, request, body),
      streamQueryRoute,
    )
    .get(
      '/calls/live',
      ({ caller, request, query, authenticateAgain }) =>
        liveCalls(services, caller, query, {
          lastEventId: request.headers.get('last-event-id') || undefined,
          nameOf,
          authenticateAgain,
        }),
      liveCallsRoute,
    )
    .post('/calls/query', ({ caller, request, body }) => queryCalls(services, caller, request, body), queryCallsRoute)
    .post(
      '/calls/query_stats',
      ({ caller, request, body }) => queryStats(services, caller, request, body),
      queryStatsRoute,
    )
    .post('/calls/fields', ({ caller, request, body }) => callFields(services, caller, request, body), callFieldsRoute)
    .post(
      '/calls/search',
      ({ caller, request, body }) => searchCalls(services, caller, request, body),
      searchCallsRoute,
    )
    .post('/calls/values', ({ caller, request, body }) => callValues(services, caller, request, body), callValuesRoute)
    .post(
      '/v2/:entity/:project/call/start',
      ({ caller, params, body }) => startCallV2(services, caller, params, body),
      startCallV2Route,
    )
    .post(
      '/v2/:entity/:project/call/end',
      ({ caller, params, body }) => endCallV2(services, caller, params, body),
      endCallV2Route,
    )
    .post(
      '/v2/:entity/:project/calls/complete',
      ({ caller, request, params, body }) => completeCalls(services, caller, params, body, prepared.of(request)),
      completeCallsRoute,
    )
