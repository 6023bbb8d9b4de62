import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { ProjectPath, projectOfPath } from '../../../../formats/body/project-path.ts'
import { CallIds, CallsQuery, EndedCall, FoundCalls, StartedCall } from '../../../../formats/schemas/calls.ts'
import { Empty, Nullable, OpenObject, underPath } from '../../../../formats/schemas/members.ts'
import { ProjectId } from '../../../../lib/project-id.ts'
import type { Caller } from '../../../access/index.ts'
import { jsonTextResponse, requestContext } from '../../../requests/index.ts'
import type { PreparedCalls } from '../../intake/intake-task.ts'
import { CallSearch, CallSearchRequest } from '../../model/call-search.ts'
import { CallFields, CallFieldsRequest } from '../../model/exploration.ts'
import type { CallsServices } from '../services.ts'
import { callValues, callValuesRoute } from './call-values.ts'
import { liveCalls, liveCallsRoute } from './live-calls.ts'
import { readCall, readCallRoute } from './read-call.ts'
import { streamCalls, streamQuery, streamQueryRoute } from './stream-calls.ts'
import { completeCalls, completeCallsRoute, upsertBatch, upsertBatchRoute } from './write-batches.ts'

const { project_id, filter, query, limit, include_total_storage_size, expand_columns, engine } = CallsQuery.properties

const queryStatsRoute = {
  body: OpenObject({
    project_id,
    filter,
    query,
    limit,
    include_total_storage_size,
    expand_columns,
    engine,
  }),
  response: {
    200: Type.Object({
      count: Type.Integer(),
      has_more: Type.Boolean(),
      total_storage_size_bytes: Type.Union([Type.Integer(), Type.Null()]),
    }),
  },
  detail: {
    operationId: 'calls.queryStats',
    readOnly: true,
    summary: 'Count calls',
    description: 'With `limit`, counting stops there and `has_more` is true if the limit was reached.',
    tags: ['Calls'],
  },
}

const queryStats = (
  services: CallsServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof queryStatsRoute.body>,
) => services.calls.reader.stats(caller.read(body.project_id), body, signal)

const updateCallRoute = {
  body: OpenObject({
    project_id: ProjectId,
    call_id: Type.String(),
    display_name: Nullable(Type.String()),
    ext_user_id: Nullable(Type.String({ description: 'Set by the server' })),
  }),
  response: { 200: Empty },
  detail: {
    operationId: 'calls.update',
    idempotencyKey: true,
    summary: 'Update the display name of a call',
    description: 'An empty `display_name` clears it. Unknown call ids are ignored.',
    tags: ['Calls'],
  },
}

async function updateCall(services: CallsServices, caller: Caller, body: Static<typeof updateCallRoute.body>) {
  await services.calls.writer.update(caller.write(body.project_id), body.call_id, body.display_name)
  return {}
}

const callFieldsRoute = {
  body: CallFieldsRequest,
  response: { 200: CallFields },
  detail: {
    operationId: 'calls.fields',
    readOnly: true,
    summary: 'List the fields of calls',
    description:
      'Describes the fields that the newest matching calls have, members of their JSON included, the most common ' +
      'first. The search is bounded in time; the response says how many calls it is based on.',
    tags: ['Calls'],
  },
}

/** Numbers are as stored, so the response is JSON text. */
const callFields = async (
  services: CallsServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof callFieldsRoute.body>,
) => jsonTextResponse(JSON.stringify(await services.callFields.find(caller.read(body.project_id), body, signal)))

const startCallRoute = {
  body: OpenObject({ start: StartedCall }),
  response: { 200: CallIds },
  detail: {
    operationId: 'calls.start',
    idempotencyKey: true,
    summary: 'Start a call',
    description: 'When the response arrives, the call is durable and visible as running. Missing ids are generated.',
    tags: ['Calls'],
  },
}

const startCall = (services: CallsServices, caller: Caller, { start }: Static<typeof startCallRoute.body>) =>
  services.calls.writer.start(caller.write(start.project_id), start)

const startCallV2Route = {
  params: ProjectPath,
  body: OpenObject({ start: underPath(StartedCall) }),
  response: startCallRoute.response,
  detail: {
    ...startCallRoute.detail,
    operationId: 'calls.startV2',
    idempotencyKey: true,
    summary: 'Start a call (v2)',
  },
}

const startCallV2 = (
  services: CallsServices,
  caller: Caller,
  path: ProjectPath,
  { start }: Static<typeof startCallV2Route.body>,
) => startCall(services, caller, { start: { ...start, project_id: projectOfPath(path, [start]) } })

const deleteCallsRoute = {
  body: OpenObject({
    project_id: ProjectId,
    call_ids: Type.Array(Type.String()),
    ext_user_id: Nullable(Type.String({ description: 'Set by the server' })),
  }),
  response: { 200: Type.Object({ num_deleted: Type.Integer() }) },
  detail: {
    operationId: 'calls.delete',
    idempotencyKey: true,
    summary: 'Delete calls and their descendants',
    description: '`num_deleted` counts only calls that existed.',
    tags: ['Calls'],
  },
}

const deleteCalls = async (services: CallsServices, caller: Caller, body: Static<typeof deleteCallsRoute.body>) => ({
  num_deleted: await services.calls.writer.delete(caller.write(body.project_id), body.call_ids),
})

const foundCalls: TSchema = FoundCalls

const queryCallsRoute = {
  body: CallsQuery,
  detail: {
    operationId: 'calls.query',
    readOnly: true,
    summary: 'Query calls as a single JSON object',
    description: 'Equivalent to `/calls/stream_query` with `accept: application/json`. Used by older clients.',
    tags: ['Calls'],
    responses: {
      200: {
        description: 'An object with the member `calls`',
        content: { 'application/json': { schema: foundCalls } },
      },
    },
  },
}

const queryCalls = (
  services: CallsServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof queryCallsRoute.body>,
) => streamCalls(services, caller.read(body.project_id), body, 'application/json', signal)

const endCallRoute = {
  body: OpenObject({ end: EndedCall }),
  response: { 200: Empty },
  detail: {
    operationId: 'calls.end',
    idempotencyKey: true,
    summary: 'End a call',
    description: 'An end may arrive before its start; the call becomes visible once the start has been stored.',
    tags: ['Calls'],
  },
}

async function endCall(services: CallsServices, caller: Caller, { end }: Static<typeof endCallRoute.body>) {
  await services.calls.writer.end(caller.write(end.project_id), end)
  return {}
}

const endCallV2Route = {
  params: ProjectPath,
  body: OpenObject({ end: underPath(EndedCall) }),
  response: endCallRoute.response,
  detail: { ...endCallRoute.detail, operationId: 'calls.endV2', idempotencyKey: true, summary: 'End a call (v2)' },
}

const endCallV2 = (
  services: CallsServices,
  caller: Caller,
  path: ProjectPath,
  { end }: Static<typeof endCallV2Route.body>,
) => endCall(services, caller, { end: { ...end, project_id: projectOfPath(path, [end]) } })

const searchCallsRoute = {
  body: CallSearchRequest,
  response: { 200: CallSearch },
  detail: {
    operationId: 'calls.search',
    readOnly: true,
    summary: 'Search calls for a text',
    description:
      'Finds calls that contain a text in op name, display name, exception, inputs, output or attributes, the ' +
      'newest first, and shows where. The search is bounded in time; `after` continues it.',
    tags: ['Calls'],
  },
}

const searchCalls = (
  services: CallsServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof searchCallsRoute.body>,
) => services.callSearch.search(caller.read(body.project_id), body, signal)

interface CallsApiParts {
  readonly services: CallsServices
  /** Spells members as clients know them. */
  readonly nameOf: (member: string) => string
  /** The calls of a body that a thread has read, which is null then. */
  readonly preparedOf: (request: Request) => PreparedCalls | undefined
}

/** Call operations. */
export const callsApi = ({ services, nameOf, preparedOf }: CallsApiParts) =>
  new Elysia({ normalize: false })
    .decorate(requestContext)
    .post('/call/start', ({ caller, body }) => startCall(services, caller, body), startCallRoute)
    .post('/call/end', ({ caller, body }) => endCall(services, caller, body), endCallRoute)
    .post(
      '/call/upsert_batch',
      ({ caller, request, body }) => upsertBatch(services, caller, body, preparedOf(request)),
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
      ({ caller, request, params, body }) => completeCalls(services, caller, params, body, preparedOf(request)),
      completeCallsRoute,
    )
