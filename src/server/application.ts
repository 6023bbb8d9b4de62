import { type AnyElysia, Elysia } from 'elysia'
import type { Caller } from '../domains/access/index.ts'
import { accountsApi, adminApi } from '../domains/admin/index.ts'
import { agentsApi } from '../domains/agents/index.ts'
import { callsApi, callsReader, payloadsApi } from '../domains/calls/index.ts'
import { completionsApi, imagesApi, inferenceApi } from '../domains/completions/index.ts'
import { costsApi } from '../domains/costs/index.ts'
import { datasetFormPaths, datasetsApi } from '../domains/datasets/index.ts'
import {
  evalResultsApi,
  evaluationRunsApi,
  evaluationsApi,
  judgeCheckApi,
  leaderboardsApi,
  predictionsApi,
  scoresApi,
} from '../domains/evaluations/index.ts'
import { feedbackApi } from '../domains/feedback/index.ts'
import { filesApi, formPaths } from '../domains/files/index.ts'
import { familiesApi, objectsApi, refsApi } from '../domains/objects/index.ts'
import { projectsApi } from '../domains/projects/index.ts'
import { annotationQueuesApi } from '../domains/queues/index.ts'
import {
  type BodyOptions,
  type BodyRooms,
  readBodyBytes,
  readJsonBody,
  toErrorResponse,
} from '../domains/requests/index.ts'
import { retentionApi } from '../domains/retention/index.ts'
import { rulesApi } from '../domains/rules/index.ts'
import { sharingApi } from '../domains/sharing/index.ts'
import { sqlApi } from '../domains/sql/index.ts'
import { tablesApi } from '../domains/tables/index.ts'
import { exportPaths, logsApi, metricsApi, otelApi, toOtlpErrorResponse } from '../domains/telemetry/index.ts'
import { threadsApi, tracesApi } from '../domains/traces/index.ts'
import { usageApi } from '../domains/usage/index.ts'
import { dialectCodec } from '../formats/dialect/codec.ts'
import { type Dialect, dialects } from '../formats/dialect/dialect.ts'
import { plainPlace } from '../formats/wire/marked-numbers.ts'
import { isJsonObject, withoutMembers } from '../lib/json-value.ts'
import type { Config } from '../runtime/config/configuration.ts'
import type { Context } from './context.ts'
import { descriptionApi, descriptionPaths } from './description/index.ts'
import { mcpApi } from './mcp/index.ts'
import { AuditNote } from './requests/audit-note.ts'
import { explained } from './requests/explanation.ts'
import { IdempotentRequests } from './requests/idempotent-requests.ts'
import { type DescribedRoute, requireAccess, requireProjectAccess } from './requests/operation.ts'
import type { RequestState, RequestStates } from './requests/request-state.ts'
import { ServedOperations } from './requests/served-operation.ts'
import { metricsPath, serviceApi, skillPath } from './service/index.ts'
import type { Services } from './services.ts'

/**
 * Removes an own member named `__proto__` from a parsed body. Elysia assigns the members of a body
 * to an object of defaults; this one would become its prototype, and its content would pass for
 * sent members. Deeper levels are never assigned.
 */
const withoutPrototype = (body: unknown): unknown => (isJsonObject(body) ? withoutMembers(body, '__proto__') : body)

/** Paths that require no API key. */
const openPathsOf = ({ metricsOpen }: Config): ReadonlySet<string> =>
  new Set([
    '/health',
    '/version',
    '/server_info',
    skillPath,
    ...descriptionPaths,
    ...(metricsOpen ? [metricsPath] : []),
  ])

/** All operations in one dialect. */
export interface Application {
  /** Answers a request that has a state in `ApplicationParts.states`. */
  fetch(request: Request): Promise<Response>
  /** Its operations with their schemas, also those that the API description omits. */
  readonly routes: readonly DescribedRoute[]
}

export interface ApplicationParts {
  readonly context: Context
  readonly services: Services
  readonly dialect: Dialect
  readonly bodyRooms: BodyRooms
  readonly states: RequestStates
  readonly authenticate: (request: Request) => Promise<Caller>
  /** Routes of others that the API description shows. */
  readonly otherRoutes?: readonly DescribedRoute[]
}

/**
 * The operations, and what every request passes on its way to them.
 *
 * A request has one `RequestState`, which the server creates on its arrival and each hook
 * completes. In this order:
 *
 * 1. `onParse`, only for requests with a body: who sends it, and whether they may call the
 *    operation, before a byte of the body is read and before anything is said about its form. Then
 *    the body, which is refused if it is too large or no JSON.
 * 2. `derive`: who sends a request without a body.
 * 3. `onTransform`: removes a member `__proto__`, which must be gone before anything copies the
 *    body; then `dialectCodec` renames members and parameters, because schemas have the neutral
 *    names.
 * 4. Elysia checks the path and the query string.
 * 5. `onBeforeHandle`: the check of the body, after the renaming and before anything reads it; the
 *    note for the audit log, which so has the ids of well-formed requests only; what the visitor of
 *    a read-only link may not ask; and the idempotency key, which is reserved last, so that a
 *    request that is refused before does not use it up.
 * 6. The operation. `onError` turns whatever the steps above have thrown into an answer, whose
 *    members `dialectCodec` renames as those of any other.
 */
export function createApplication(parts: ApplicationParts): Application {
  const { services, dialect, bodyRooms, states, otherRoutes = [] } = parts
  const { config, log } = parts.context
  const openPaths = openPathsOf(config)
  const operations = new ServedOperations(services.metrics.requests)
  const idempotent = new IdempotentRequests(services.idempotency)
  const unknownPath = services.metrics.requests.of('none')

  /** Called by the first hook of a request, when its operation is known. */
  const matched = (request: Request, route: string): RequestState => {
    const state = states.of(request)
    state.operation ??= operations.of(request.method, route)
    if (state.operation !== undefined) state.metrics = state.operation.metrics
    return state
  }

  const authenticate = async (request: Request, state: RequestState): Promise<Caller> => {
    if (state.access === undefined) {
      const note = new AuditNote(request.method)
      state.access = { caller: note.watch(await parts.authenticate(request)), note }
    }
    return state.access.caller
  }

  const app = new Elysia({
    normalize: false,
    strictPath: true,
    // Otherwise the router looks for the path behind a host name of at least four letters, and
    // `http://db/…` is a 404.
    handler: { standardHostname: false },
  })
    .onParse(async ({ request, path, route, params }) => {
      const state = matched(request, route)
      const { operation } = state
      const caller = await authenticate(request, state)
      requireAccess(caller, operation?.detail, params)
      // Handlers read forms as they stream in, and no DELETE has a body. Elysia would parse the
      // body itself if this returned undefined.
      if (formPaths.has(path) || datasetFormPaths.has(path) || request.method === 'DELETE') return null
      const room = bodyRooms.enter(caller.userId)
      state.room = room
      const options: BodyOptions = { bytesMax: config.bodyBytesMax, room }
      if (exportPaths.has(path)) return await readBodyBytes(request, options)
      const readInThread = callsReader(services.intake, { request, route, params, caller, dialect: dialect.name })
      return await readJsonBody(request, {
        ...options,
        place: operation?.place ?? plainPlace,
        onLong: () => {
          state.hasLongBody = true
        },
        checkProject: (projectId) => requireProjectAccess(caller, operation?.detail, projectId),
        readOtherwise:
          readInThread &&
          (async (bytes) => {
            state.prepared = await readInThread(bytes, room)
            return state.prepared !== undefined
          }),
      })
    })
    .derive(async ({ request, path, route }) => {
      const state = matched(request, route)
      const caller = openPaths.has(path) ? services.access.anonymous : await authenticate(request, state)
      return { caller, client: state.client, authenticateAgain: () => parts.authenticate(request) }
    })
    .onTransform((context) => {
      context.body = withoutPrototype(context.body)
    })
    .use(dialectCodec(dialect.name, operations.routes, (request) => states.of(request).hasLongBody))
    .onBeforeHandle((context) => {
      const { operation, prepared } = states.of(context.request)
      const check = prepared === undefined ? operation?.bodyCheck : undefined
      if (check !== undefined) context.body = check.complete(context.body)
    })
    .onBeforeHandle(async ({ request, params, body }) => {
      const { operation, access, narrow } = states.of(request)
      access?.note.named(operation?.detail, params, body)
      await narrow?.({ params, body })
    })
    .onBeforeHandle(async ({ request, body }) => idempotent.begin(request, states.of(request), body))
    .onError(({ error, request }) => toOtlpErrorResponse(request, toErrorResponse(error, log)))

  const groups: readonly AnyElysia[] = [
    adminApi(services, config),
    accountsApi({ isServed: dialect.hasAccountGraph }),
    serviceApi(services, config),
    callsApi({ services, nameOf: dialect.nameOf, preparedOf: (request) => states.of(request).prepared }),
    completionsApi(services, dialect.nameOf),
    costsApi(services),
    datasetsApi(services, config),
    evaluationsApi(services),
    feedbackApi(services),
    filesApi(services, config),
    annotationQueuesApi(services),
    imagesApi(services),
    inferenceApi(services),
    mcpApi({ services: parts.context.inNames(dialects.ext), log, publicUrl: config.publicUrl }),
    objectsApi(services, dialect.nameOf),
    projectsApi(services),
    retentionApi(services),
    refsApi(services),
    rulesApi(services),
    sharingApi(services, config),
    sqlApi(services),
    tablesApi(services),
    otelApi(services),
    logsApi(services),
    metricsApi(services),
    threadsApi(services),
    agentsApi(services),
    tracesApi(services),
    usageApi(services),
    evalResultsApi(services),
    evaluationRunsApi(services),
    leaderboardsApi(services),
    judgeCheckApi(services),
    familiesApi(services),
    payloadsApi(services),
    predictionsApi(services),
    scoresApi(services),
    descriptionApi(dialect, () => [...operations.routes, ...otherRoutes]),
  ]
  for (const group of groups) app.use(operations.take(group))

  const audited = (state: RequestState, status: number): Promise<void> | undefined => {
    if (state.access === undefined) return undefined
    const { caller, note } = state.access
    const answered = { status, address: state.address(), requestId: state.id }
    return services.audit.record(note.entryOf(caller, state.operation?.detail, answered))
  }

  const answer = async (request: Request, state: RequestState): Promise<Response> => {
    state.metrics = unknownPath
    try {
      const response = await app.fetch(request)
      await audited(state, response.status)
      return response
    } finally {
      state.room?.leave()
    }
  }
  const fetch = (request: Request) => {
    const state = states.of(request)
    return explained(request, () => idempotent.run(request, state, () => answer(request, state)))
  }
  return { fetch, routes: operations.routes }
}
