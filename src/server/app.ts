import { v7 as uuid } from 'uuid'
import { type Caller, callerOnThisMachine, isFromThisMachine, keyTextOf } from '../domains/access/index.ts'
import { BodyRooms, toErrorResponse } from '../domains/requests/index.ts'
import { createGrpcApp, exportPaths } from '../domains/telemetry/index.ts'
import { dialects } from '../formats/dialect/dialect.ts'
import { endOfByteStream } from '../formats/wire/byte-stream.ts'
import type { GrpcApp } from '../runtime/http/grpc-call.ts'
import { type Fetch, type HttpClient, readdress } from '../runtime/http/http-listener.ts'
import { createApplication } from './application.ts'
import type { Context } from './context.ts'
import { answerGuide, asksForGuide } from './guide/guide-pages.ts'
import { AuditNote } from './requests/audit-note.ts'
import { compressedAnswer } from './requests/compressed-answer.ts'
import { type RequestState, RequestStates } from './requests/request-state.ts'
import { WebUi } from './ui/web-ui.ts'

/**
 * The scheme for pages instead of `Basic`: for Basic, browsers open a password dialog of their own,
 * which holds up the page until someone closes it. No browser reacts to Bearer.
 */
const pageChallenge = 'Bearer realm="tracelake"'

/**
 * Replaces the challenge of a 401 if a page in a browser made the request. Other clients, and
 * people who open an address, keep Basic. See docs/decisions/204-challenge-of-pages.md.
 */
function replaceChallengeForPages({ headers }: Request, answer: Response): void {
  if (answer.headers.has('www-authenticate') && isFromPage(headers))
    answer.headers.set('www-authenticate', pageChallenge)
}

/**
 * Whether a script or an element of a page made a request. `Sec-Fetch-Site` distinguishes browsers
 * from other clients: `Sec-Fetch-Mode` alone comes from Node.js too. Browsers omit both where a
 * page was loaded over plain HTTP from another machine; `Origin` and `Referer` remain there.
 */
function isFromPage(headers: Headers): boolean {
  if (headers.get('x-requested-with') !== null) return true
  if (headers.get('sec-fetch-site') === null) return headers.has('origin') || headers.has('referer')
  return headers.get('sec-fetch-mode') !== 'navigate' || headers.get('sec-fetch-dest') !== 'document'
}

/**
 * The request as the operations know it: without `basePath`. Proxies may remove the path
 * themselves, and programs beside the server need not know it, so a request without it is taken as
 * it is.
 */
function withoutBasePath(request: Request, basePath: string): Request {
  if (basePath === '') return request
  const { pathname } = new URL(request.url)
  if (pathname === basePath) return readdress(request, '/')
  return pathname.startsWith(`${basePath}/`) ? readdress(request, pathname.slice(basePath.length)) : request
}

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
  /** Tells the web UI where the server listens for gRPC, for example `127.0.0.1:4317`. */
  readonly announceGrpc: (address: string) => void
}

/** For metrics, the log and the server's own traces. */
interface AnsweredRequest extends Pick<RequestState, 'id' | 'metrics'> {
  readonly method: string
  readonly path: string
  readonly headers: Headers
  readonly status: number
  readonly startedMs: number
}

/**
 * The HTTP application over an open context. It does not listen by itself: the command line and the
 * tests pass its `fetch` to a listener or call it directly.
 */
export function createApp(context: Context): App {
  const { services, config, dialect, log, selfTracing } = context
  const { requests: metrics } = services.metrics
  const states = new RequestStates()
  const addressOf = (request: Request): string => states.of(request).address()
  const ipOf = (request: Request): string | undefined => states.of(request).client.ip()
  const mayBeKeyless = (headers: Headers) =>
    config.local && keyTextOf(headers) === undefined && !headers.has('authorization')
  const bodyRooms = new BodyRooms({ bodyBytesMax: config.bodyBytesMax, memoryBytes: config.memoryBytesMax })
  const shared = { context, bodyRooms, states }

  let grpcAddress: string | undefined
  const webUi = new WebUi({
    config,
    services,
    log,
    states,
    clientAddressOf: addressOf,
    isFromProxy: (request) => config.trustedProxies.includes(ipOf(request)),
    isFromThisMachine: (request) =>
      isFromThisMachine({ headers: request.headers, ip: ipOf(request), host: new URL(request.url).host }),
    grpcAddress: () => grpcAddress,
    // The same operations once more, at the first visit: in neutral names whatever the dialect, and
    // by cookie only.
    createApi: (authenticate) =>
      createApplication({ ...shared, services: context.inNames(dialects.ext), dialect: dialects.ext, authenticate }),
  })
  const guide = {
    fetch: (request: Request) => {
      states.of(request).metrics = metrics.of('guide')
      return answerGuide(new URL(request.url).pathname)
    },
  }
  const api = createApplication({
    ...shared,
    services,
    dialect,
    authenticate: async (request) => {
      const { pathname, host } = new URL(request.url)
      if (exportPaths.has(pathname) && mayBeKeyless(request.headers))
        return callerOnThisMachine({ headers: request.headers, ip: ipOf(request), host })
      return await services.access.authenticate(request.headers, () => addressOf(request))
    },
    otherRoutes: webUi.routes,
  })

  const record = ({ metrics, method, path, headers, status, id, startedMs }: AnsweredRequest) => {
    const durationMs = performance.now() - startedMs
    metrics.add(status, durationMs / 1000)
    selfTracing?.record({
      operation: metrics.operation,
      method,
      status,
      requestId: id,
      startedAtMs: performance.timeOrigin + startedMs,
      durationMs,
      traceparent: headers.get('traceparent'),
    })
    log.debug({ requestId: id, method, path, status, durationMs }, 'request')
  }
  const grpcCallers = new WeakMap<Headers, { caller: Caller; note: AuditNote; address: string }>()
  const grpc = createGrpcApp({
    services,
    log,
    bodyRooms,
    authenticate: async ({ headers, ip, authority }) => {
      const address = () => config.trustedProxies.clientOf(ip, headers.get('x-forwarded-for'))
      const known = mayBeKeyless(headers)
        ? callerOnThisMachine({ headers, ip, host: authority })
        : await services.access.authenticate(headers, address)
      const note = new AuditNote('POST')
      const caller = note.watch(known)
      grpcCallers.set(headers, { caller, note, address: address() })
      return caller
    },
    onAnswered: ({ operation, headers, ...answered }) => {
      const known = grpcCallers.get(headers)
      if (known !== undefined) {
        const { caller, note, address } = known
        const { status } = answered
        void services.audit.record(
          note.entryOf(caller, { operationId: operation }, { status, address, requestId: undefined }),
        )
      }
      record({
        ...answered,
        metrics: metrics.of(operation),
        method: 'POST',
        headers,
        id: requestIdOf(headers),
      })
    },
  })

  return {
    grpc,
    announceGrpc: (address) => {
      grpcAddress = address
    },
    toErrorResponse: (error) => toErrorResponse(error, log),
    fetch: async (received, client) => {
      const startedMs = performance.now()
      const request = withoutBasePath(received, config.basePath)
      const { pathname } = new URL(request.url)
      const state = states.begin(request, {
        client,
        id: requestIdOf(request.headers),
        address: () => config.trustedProxies.clientOf(client.ip() ?? 'unknown', request.headers.get('x-forwarded-for')),
        metrics: metrics.of('none'),
      })
      const handler = asksForGuide(request, pathname) ? guide : webUi.answers(request, pathname) ? webUi : api
      const plain = await handler.fetch(request)
      plain.headers.set('x-request-id', state.id)
      replaceChallengeForPages(request, plain)
      holdOpenWhileStreaming(plain, client)
      const response = await compressedAnswer(request, plain)
      record({
        metrics: state.metrics,
        id: state.id,
        method: request.method,
        path: pathname,
        headers: request.headers,
        status: response.status,
        startedMs,
      })
      return response
    },
  }
}
