import { Elysia } from 'elysia'
import { v7 as uuid } from 'uuid'
import { accountsApi } from './api/accounts/index.ts'
import { adminApi } from './api/admin/index.ts'
import { agentsApi } from './api/agents/index.ts'
import { annotationQueuesApi } from './api/annotation-queues/index.ts'
import { type BodyRoom, BodyRooms } from './api/body-room.ts'
import { callsApi } from './api/calls/index.ts'
import { completionsApi } from './api/completions/index.ts'
import { compressedAnswer } from './api/compressed-answer.ts'
import { costsApi } from './api/costs/index.ts'
import { descriptionApi, descriptionPaths } from './api/description/index.ts'
import type { DescribedRoute } from './api/description/openapi.ts'
import { toErrorResponse } from './api/error-responses.ts'
import { evalResultsApi } from './api/eval-results/index.ts'
import { evaluationRunsApi } from './api/evaluation-runs/index.ts'
import { evaluationsApi } from './api/evaluations/index.ts'
import { familiesApi } from './api/families/index.ts'
import { feedbackApi } from './api/feedback/index.ts'
import { filesApi, formPaths } from './api/files/index.ts'
import { IdempotentRequests } from './api/idempotent-requests.ts'
import { imagesApi } from './api/images/index.ts'
import { inferenceApi } from './api/inference/index.ts'
import { logsApi } from './api/logs/index.ts'
import { mcpApi } from './api/mcp/index.ts'
import { metricsApi } from './api/metrics/index.ts'
import { objectsApi } from './api/objects/index.ts'
import { type Operation, operationsOf } from './api/operation.ts'
import { toOtlpErrorResponse } from './api/otel/error-response.ts'
import { createGrpcApp } from './api/otel/grpc-app.ts'
import { otelApi } from './api/otel/index.ts'
import { exportPaths } from './api/otel/signals.ts'
import { payloadsApi } from './api/payloads/index.ts'
import { predictionsApi } from './api/predictions/index.ts'
import { projectsApi } from './api/projects/index.ts'
import { withoutPrototype } from './api/prototype-member.ts'
import { QuietBodies } from './api/quiet-body.ts'
import { refsApi } from './api/refs/index.ts'
import { type BodyOptions, readBodyBytes, readJsonBody } from './api/request-body.ts'
import { requestMetricsByRoute } from './api/request-metrics.ts'
import { requireAccess, requireReach } from './api/required-access.ts'
import { rulesApi } from './api/rules/index.ts'
import { scoresApi } from './api/scores/index.ts'
import { serviceApi } from './api/service/index.ts'
import { metricsPath } from './api/service/metrics.ts'
import { skillPath } from './api/service/skill.ts'
import { tablesApi } from './api/tables/index.ts'
import { threadsApi } from './api/threads/index.ts'
import { tracesApi } from './api/traces/index.ts'
import { withoutBasePath } from './api/ui/base-path.ts'
import { WebUi } from './api/ui/web-ui.ts'
import { usageApi } from './api/usage/index.ts'
import type { Config } from './config/configuration.ts'
import type { Context } from './context.ts'
import { dialectCodec } from './dialect/codec.ts'
import { type Dialect, dialects } from './dialect/dialect.ts'
import type { Caller } from './foundation/access/caller.ts'
import { keyTextOf } from './foundation/access/credentials.ts'
import { callerOnThisMachine } from './foundation/access/local-access.ts'
import type { OperationMetrics } from './foundation/metrics/request-metrics.ts'
import type { GrpcApp } from './http/grpc-listener.ts'
import type { Fetch, HttpClient } from './http/http-listener.ts'
import { limits } from './limits.ts'
import type { Services } from './services.ts'
import { endOfByteStream } from './wire/byte-stream.ts'

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

/**
 * Content types of streamed responses. Only their bodies are touched: accessing the body of any
 * other response would turn it into a stream.
 */
const streamedTypes = /jsonl|ndjson|csv|tab-separated|arrow|parquet|octet-stream/

/** Exempts streams from the idle timeout: other limits keep slow clients from doing harm. */
function holdOpenWhileStreaming(response: Response, client: HttpClient): void {
  if (!streamedTypes.test(response.headers.get('content-type') ?? '') || response.body === null) return
  const end = endOfByteStream(response.body)
  if (end !== undefined) void end.then(client.holdOpen())
}

/** The client's request id if it is well-formed, else a new one. It is logged and returned. */
function requestIdOf(headers: Headers): string {
  const given = headers.get('x-request-id')
  return given !== null && /^[\w.:-]{1,128}$/.test(given) ? given : uuid()
}

export interface App {
  readonly fetch: Fetch
  /** The response if `fetch` throws. */
  readonly toErrorResponse: (error: unknown) => Response
  /** OpenTelemetry ingest over gRPC. */
  readonly grpc: GrpcApp
}

/** For metrics, the log and the server's own traces. */
interface AnsweredRequest {
  readonly figures: OperationMetrics
  readonly method: string
  readonly path: string
  readonly headers: Headers
  readonly status: number
  readonly requestId: string
  readonly startedMs: number
}

/** All operations in one dialect. */
interface Application {
  fetch(request: Request): Promise<Response>
  /** Metrics of the operation that answered a request. */
  figuresOf(request: Request): OperationMetrics
}

interface ApplicationParts {
  readonly context: Context
  readonly services: Services
  readonly dialect: Dialect
  readonly bodyRooms: BodyRooms
  readonly authenticate: (request: Request) => Promise<Caller>
  readonly clientOf: (request: Request) => HttpClient | undefined
  /** Routes of others that the API description shows. */
  readonly otherRoutes?: readonly DescribedRoute[]
}

/**
 * The HTTP application over an open context. It does not listen by itself: the command line and the
 * tests pass its `fetch` to a listener or call it directly.
 */
export function createApp(context: Context): App {
  const { services, config, dialect, log, selfTracing } = context
  const clients = new WeakMap<Request, HttpClient>()
  const clientOf = (request: Request) => clients.get(request)
  const addressOf = (request: Request): string => {
    const connected = clientOf(request)?.ip() ?? 'unknown'
    return config.trustedProxies.clientOf(connected, request.headers.get('x-forwarded-for'))
  }
  const mayBeKeyless = (headers: Headers) =>
    config.local && keyTextOf(headers) === undefined && !headers.has('authorization')
  const bodyRooms = new BodyRooms(config.bodyBytesMax)
  const shared = { context, bodyRooms, clientOf }

  const webUi = new WebUi({
    config,
    services,
    log,
    clientAddressOf: addressOf,
    isFromProxy: (request) => config.trustedProxies.includes(clientOf(request)?.ip()),
    // The same operations once more, at the first visit: in neutral names whatever the dialect, and
    // by cookie only.
    createApi: (authenticate) =>
      createApplication({ ...shared, services: context.inNames(dialects.ext), dialect: dialects.ext, authenticate }),
  })
  const api = createApplication({
    ...shared,
    services,
    dialect,
    authenticate: async (request) => {
      const { pathname, host } = new URL(request.url)
      if (exportPaths.has(pathname) && mayBeKeyless(request.headers))
        return callerOnThisMachine({ headers: request.headers, ip: clientOf(request)?.ip(), host })
      return await services.access.authenticate(request.headers, () => addressOf(request))
    },
    otherRoutes: webUi.routes,
  })

  const record = ({ figures, method, path, headers, status, requestId, startedMs }: AnsweredRequest) => {
    const durationMs = performance.now() - startedMs
    figures.add(status, durationMs / 1000)
    selfTracing?.record({
      operation: figures.operation,
      method,
      status,
      requestId,
      startedAtMs: performance.timeOrigin + startedMs,
      durationMs,
      traceparent: headers.get('traceparent'),
    })
    log.debug({ requestId, method, path, status, durationMs }, 'request')
  }
  const grpc = createGrpcApp({
    services,
    log,
    bodyRooms,
    authenticate: async ({ headers, ip, authority }) => {
      if (mayBeKeyless(headers)) return callerOnThisMachine({ headers, ip, host: authority })
      const address = () => config.trustedProxies.clientOf(ip, headers.get('x-forwarded-for'))
      return await services.access.authenticate(headers, address)
    },
    onAnswered: ({ operation, headers, ...answered }) =>
      record({
        ...answered,
        figures: services.metrics.requests.of(operation),
        method: 'POST',
        headers,
        requestId: requestIdOf(headers),
      }),
  })

  return {
    grpc,
    toErrorResponse: (error) => toErrorResponse(error, log),
    fetch: async (received, client) => {
      const startedMs = performance.now()
      const request = withoutBasePath(received, config.basePath)
      const requestId = requestIdOf(request.headers)
      const { pathname } = new URL(request.url)
      clients.set(request, client)
      const handler = webUi.answers(request, pathname) ? webUi : api
      const plain = await handler.fetch(request)
      plain.headers.set('x-request-id', requestId)
      holdOpenWhileStreaming(plain, client)
      const response = await compressedAnswer(request, plain)
      record({
        figures: handler.figuresOf(request),
        method: request.method,
        path: pathname,
        headers: request.headers,
        status: response.status,
        requestId,
        startedMs,
      })
      return response
    },
  }
}

function createApplication(parts: ApplicationParts): Application {
  const { services, dialect, bodyRooms, clientOf, otherRoutes = [] } = parts
  const { config, log } = parts.context
  const callers = new WeakMap<Request, Caller>()
  const routes = new WeakMap<Request, string>()
  const openPaths = openPathsOf(config)
  const rooms = new WeakMap<Request, BodyRoom>()
  const quietBodies = new QuietBodies()
  const longBodies = new WeakSet<Request>()

  const authenticate = async (request: Request): Promise<Caller> => {
    const known = callers.get(request)
    if (known) return known
    const caller = await parts.authenticate(request)
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
      requireAccess(caller, operations().get(`${request.method} ${route}`), params)
      // Handlers read forms as they stream in, and no DELETE has a body. Elysia would parse the
      // body itself if this returned undefined.
      if (formPaths.has(path) || request.method === 'DELETE') return null
      const room = bodyRooms.enter(caller.userId)
      rooms.set(request, room)
      const options: BodyOptions = { bytesMax: config.bodyBytesMax, room }
      if (exportPaths.has(path)) return await readBodyBytes(request, options)
      return await readJsonBody(request, {
        ...options,
        onLarge: (bytes) => {
          quietBodies.add(request)
          if (bytes > limits.quickBodyBytesMax) longBodies.add(request)
        },
        checkProject: (projectId) => requireReach(caller, projectId),
      })
    })
    .derive(async ({ request, path, route }) => {
      routes.set(request, route)
      const caller = openPaths.has(path) ? services.access.nobody : await authenticate(request)
      return { caller, client: clientOf(request), authenticateAgain: () => parts.authenticate(request) }
    })
    .onTransform((context) => {
      context.body = withoutPrototype(context.body)
    })
    .onBeforeHandle(({ request, body }) => quietBodies.restore(request, body))
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
    .use(callsApi(services, dialect.nameOf))
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

  const figuresOf = requestMetricsByRoute(services.metrics.requests, operations(), (request) => routes.get(request))

  const answer = async (request: Request): Promise<Response> => {
    try {
      return await app.fetch(request)
    } finally {
      rooms.get(request)?.leave()
    }
  }
  return { figuresOf, fetch: (request) => idempotent.run(request, () => answer(request)) }
}
