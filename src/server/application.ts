import { Elysia } from 'elysia'
import type { Caller } from '../domains/access/index.ts'
import { accountsApi, adminApi } from '../domains/admin/index.ts'
import { agentsApi } from '../domains/agents/index.ts'
import { callsApi, PreparedBodies, payloadsApi } from '../domains/calls/index.ts'
import { completionsApi, imagesApi, inferenceApi } from '../domains/completions/index.ts'
import { costsApi } from '../domains/costs/index.ts'
import {
  evalResultsApi,
  evaluationRunsApi,
  evaluationsApi,
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
  type BodyRoom,
  type BodyRooms,
  readBodyBytes,
  readJsonBody,
  toErrorResponse,
} from '../domains/requests/index.ts'
import { retentionApi } from '../domains/retention/index.ts'
import { rulesApi } from '../domains/rules/index.ts'
import { tablesApi } from '../domains/tables/index.ts'
import { exportPaths, logsApi, metricsApi, otelApi, toOtlpErrorResponse } from '../domains/telemetry/index.ts'
import { threadsApi, tracesApi } from '../domains/traces/index.ts'
import { usageApi } from '../domains/usage/index.ts'
import { dialectCodec } from '../formats/dialect/codec.ts'
import { type Dialect, dialects } from '../formats/dialect/dialect.ts'
import { requestLimits } from '../lib/limits/requests.ts'
import type { Config } from '../runtime/config/configuration.ts'
import type { HttpClient } from '../runtime/http/http-listener.ts'
import type { Context } from './context.ts'
import { descriptionApi, descriptionPaths } from './description/index.ts'
import type { DescribedRoute } from './description/openapi.ts'
import { mcpApi } from './mcp/index.ts'
import type { OperationMetrics } from './metrics/request-metrics.ts'
import { AuditNote } from './requests/audit-note.ts'
import { BodyPlaces } from './requests/body-places.ts'
import { explained } from './requests/explanation.ts'
import { IdempotentRequests } from './requests/idempotent-requests.ts'
import { type Operation, operationsOf } from './requests/operation.ts'
import { withoutPrototype } from './requests/prototype-member.ts'
import { QuietBodies } from './requests/quiet-body.ts'
import { requestMetricsByRoute } from './requests/request-metrics.ts'
import { requireAccess, requireProjectAccess } from './requests/required-access.ts'
import { metricsPath, serviceApi, skillPath } from './service/index.ts'
import type { Services } from './services.ts'

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
  fetch(request: Request): Promise<Response>
  /** Metrics of the operation that answered a request. */
  figuresOf(request: Request): OperationMetrics
  /** Its operations with their schemas, also those that the API description omits. */
  readonly routes: readonly DescribedRoute[]
}

export interface ApplicationParts {
  readonly context: Context
  readonly services: Services
  readonly dialect: Dialect
  readonly bodyRooms: BodyRooms
  readonly authenticate: (request: Request) => Promise<Caller>
  readonly clientOf: (request: Request) => HttpClient | undefined
  /** Where a request comes from, for the audit log. */
  readonly originOf: (request: Request) => { readonly address: string; readonly requestId: string | undefined }
  /** Routes of others that the API description shows. */
  readonly otherRoutes?: readonly DescribedRoute[]
}

/** The operations, and what every request passes on its way to them: access, body, answer. */
export function createApplication(parts: ApplicationParts): Application {
  const { services, dialect, bodyRooms, clientOf, otherRoutes = [] } = parts
  const { config, log } = parts.context
  const callers = new WeakMap<Request, Caller>()
  const notes = new WeakMap<Request, AuditNote>()
  const routes = new WeakMap<Request, string>()
  const openPaths = openPathsOf(config)
  const rooms = new WeakMap<Request, BodyRoom>()
  const quietBodies = new QuietBodies()
  const longBodies = new WeakSet<Request>()
  const preparedBodies = new PreparedBodies(services.intake, dialect.name)

  const authenticate = async (request: Request): Promise<Caller> => {
    const known = callers.get(request)
    if (known) return known
    const note = new AuditNote(request.method)
    const caller = note.watch(await parts.authenticate(request))
    notes.set(request, note)
    callers.set(request, caller)
    return caller
  }

  const idempotent = new IdempotentRequests(services.idempotency)
  // Computed lazily: the routes are registered after the hooks that need them.
  let known: ReadonlyMap<string, Operation> | undefined
  const operations = () => {
    known ??= operationsOf(app)
    return known
  }

  const app = new Elysia({
    normalize: false,
    strictPath: true,
    // Otherwise the router looks for the path behind a host name of at least four letters, and
    // `http://db/…` is a 404.
    handler: { standardHostname: false },
  })
    // Authentication and authorization come before a byte of the body is read and before anything
    // is said about its form.
    .onParse(async ({ request, path, route, params }) => {
      routes.set(request, route)
      const caller = await authenticate(request)
      const operation = operations().get(`${request.method} ${route}`)
      requireAccess(caller, operation, params)
      // Handlers read forms as they stream in, and no DELETE has a body. Elysia would parse the
      // body itself if this returned undefined.
      if (formPaths.has(path) || request.method === 'DELETE') return null
      const room = bodyRooms.enter(caller.userId)
      rooms.set(request, room)
      const options: BodyOptions = { bytesMax: config.bodyBytesMax, room }
      if (exportPaths.has(path)) return await readBodyBytes(request, options)
      return await readJsonBody(request, {
        ...options,
        place: bodyPlaces.of(`${request.method} ${route}`),
        onLarge: (bytes) => {
          quietBodies.add(request)
          if (bytes > requestLimits.quickBodyBytesMax) longBodies.add(request)
        },
        checkProject: (projectId) => requireProjectAccess(caller, operation, projectId),
        readOtherwise: preparedBodies.readerFor({ request, route, params, caller }),
      })
    })
    .derive(async ({ request, path, route }) => {
      routes.set(request, route)
      const caller = openPaths.has(path) ? services.access.anonymous : await authenticate(request)
      return { caller, client: clientOf(request), authenticateAgain: () => parts.authenticate(request) }
    })
    .onTransform((context) => {
      context.body = withoutPrototype(context.body)
    })
    .onBeforeHandle(({ request, body }) => quietBodies.restore(request, body))
    .onBeforeHandle(({ request, route, params, body }) =>
      notes.get(request)?.named(operations().get(`${request.method} ${route}`), params, body),
    )
    .onBeforeHandle(async ({ request, route, body, caller }) =>
      idempotent.begin({
        request,
        operation: operations().get(`${request.method} ${route}`),
        userId: caller.userId,
        body,
      }),
    )
    .onError(({ error, request }) => toOtlpErrorResponse(request, toErrorResponse(error, log)))
    .use(dialectCodec(dialect.name, (request) => longBodies.has(request)))
    .onTransform(({ request, body }) => quietBodies.hush(request, body))
    .use(adminApi(services, config))
    .use(accountsApi({ isServed: dialect.hasAccountGraph }))
    .use(serviceApi(services, config))
    .use(callsApi(services, dialect.nameOf, preparedBodies))
    .use(completionsApi(services, dialect.nameOf))
    .use(costsApi(services))
    .use(evaluationsApi(services))
    .use(feedbackApi(services))
    .use(filesApi(services, config))
    .use(annotationQueuesApi(services))
    .use(imagesApi(services))
    .use(inferenceApi(services))
    .use(mcpApi({ services: parts.context.inNames(dialects.ext), log, publicUrl: config.publicUrl }))
    .use(objectsApi(services, dialect.nameOf))
    .use(projectsApi(services))
    .use(retentionApi(services))
    .use(refsApi(services))
    .use(rulesApi(services))
    .use(tablesApi(services))
    .use(otelApi(services))
    .use(logsApi(services))
    .use(metricsApi(services))
    .use(threadsApi(services))
    .use(agentsApi(services))
    .use(tracesApi(services))
    .use(usageApi(services))
    .use(evalResultsApi(services))
    .use(evaluationRunsApi(services))
    .use(familiesApi(services))
    .use(payloadsApi(services))
    .use(predictionsApi(services))
    .use(scoresApi(services))
    .use(descriptionApi(dialect, { otherRoutes }))

  const bodyPlaces = new BodyPlaces(app)
  const figuresOf = requestMetricsByRoute(services.metrics.requests, operations(), (request) => routes.get(request))

  const audited = (request: Request, status: number): Promise<void> | undefined => {
    const note = notes.get(request)
    if (note === undefined) return undefined
    const operation = operations().get(`${request.method} ${routes.get(request)}`)
    const entry = note.entryOf(callers.get(request)!, operation, { status, ...parts.originOf(request) })
    return services.audit.record(entry)
  }

  const answer = async (request: Request): Promise<Response> => {
    try {
      const response = await app.fetch(request)
      await audited(request, response.status)
      return response
    } finally {
      rooms.get(request)?.leave()
    }
  }
  const fetch = (request: Request) => explained(request, () => idempotent.run(request, () => answer(request)))
  return { figuresOf, fetch, routes: app.routes }
}
