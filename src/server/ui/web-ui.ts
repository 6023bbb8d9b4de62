import type { Caller } from '../../domains/access/index.ts'
import { datasetFormPaths } from '../../domains/datasets/index.ts'
import { formPaths } from '../../domains/files/index.ts'
import { toErrorResponse } from '../../domains/requests/index.ts'
import { placeOfSdkLink } from '../../formats/dialect/sdk-links.ts'
import { DomainError, quoted } from '../../lib/errors.ts'
import type { Config } from '../../runtime/config/configuration.ts'
import { acceptedChoices } from '../../runtime/http/compression.ts'
import { readdress } from '../../runtime/http/http-listener.ts'
import type { Log } from '../../runtime/log.ts'
import type { DescribedRoute } from '../requests/operation.ts'
import type { RequestStates } from '../requests/request-state.ts'
import type { Services } from '../services.ts'
import { type BrowserOrigin, browserOriginOf, requireSameOrigin } from './browser-origin.ts'
import { Pages } from './pages.ts'
import { apiHeaders } from './policy.ts'
import { sessionApi } from './session-api.ts'
import { requireSession, sessionCookie } from './session-cookie.ts'
import { LinkVisits, linkOfPath } from './shared-links.ts'
import { signInApi } from './sign-in-api.ts'

const json = /^\s*application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i
const form = /^\s*multipart\/form-data\s*;/i

/**
 * Refuses bodies of the types that a form of another site can send without asking.
 *
 * @throws DomainError UnsupportedMediaType
 */
function requireOwnType({ method, headers }: Request, path: string): void {
  if (method === 'GET' || method === 'HEAD' || method === 'DELETE') return
  const type = headers.get('content-type')
  const isForm = formPaths.has(path) || datasetFormPaths.has(path)
  if (type !== null && (isForm ? form : json).test(type)) return
  const expected = isForm ? 'multipart/form-data' : 'application/json'
  const given = type === null ? 'no content type' : `the content type ${quoted(type)}`
  throw new DomainError('UnsupportedMediaType', `The request has ${given}; send ${expected}`)
}

/** Whether the client asks for pages, as browsers do, rather than for JSON or anything at all. */
function prefersHtml(accept: string | null): boolean {
  const choices = acceptedChoices(accept ?? '')
  const weightOf = (name: string): number => choices.find((choice) => choice.name === name)?.quality ?? 0
  return weightOf('text/html') > weightOf('application/json')
}

/** All operations, as the UI calls them. */
interface UiApi {
  fetch(request: Request): Promise<Response>
}

interface WebUiOptions {
  readonly config: Config
  readonly services: Services
  readonly log: Log
  readonly states: RequestStates
  readonly clientAddressOf: (request: Request) => string
  readonly isFromProxy: (request: Request) => boolean
  readonly isFromThisMachine: (request: Request) => boolean
  /** Where the server listens for gRPC; undefined if it does not. */
  readonly grpcAddress: () => string | undefined
  readonly createApi: (authenticate: (request: Request) => Promise<Caller>) => UiApi
}

const apiPath = '/ui/api/'

/**
 * Responses for browsers besides the public API: pages, the session, and the API by cookie. See
 * docs/decisions/071-serving-the-web-ui.md.
 */
export class WebUi {
  /** For the API description. */
  readonly routes: readonly DescribedRoute[]
  private readonly options: WebUiOptions
  private readonly pages: Pages
  private readonly session: ReturnType<typeof sessionApi>
  private readonly signIn: ReturnType<typeof signInApi>
  private readonly links: LinkVisits
  private api: UiApi | undefined

  constructor(options: WebUiOptions) {
    this.options = options
    this.pages = new Pages(options.config.basePath, options.config.oidc?.name)
    this.session = sessionApi({ ...options, originOf: (request) => this.originOf(request) })
    this.signIn = signInApi({ ...options, originOf: (request) => this.originOf(request) })
    this.links = new LinkVisits({ ...options, originOf: (request) => this.originOf(request) })
    this.routes = [...this.session.routes, ...this.signIn.routes, ...this.links.routes]
  }

  /** Whether a request is meant for the UI, so that `fetch` has to answer it. */
  answers({ method, headers }: Request, path: string): boolean {
    if (path.startsWith('/ui/') || path === '/ui') return true
    if (!isReading(method)) return false
    return path === '/' ? prefersHtml(headers.get('accept')) : placeOfSdkLink(path) !== undefined
  }

  async fetch(request: Request): Promise<Response> {
    const { services, states } = this.options
    states.of(request).metrics = services.metrics.requests.of('ui')
    try {
      return await this.answer(request, new URL(request.url).pathname)
    } catch (error) {
      return withApiHeaders(toErrorResponse(error, this.options.log))
    }
  }

  private async answer(request: Request, path: string): Promise<Response> {
    if (path === '/' || path === '/ui') return this.redirect('/')
    const place = placeOfSdkLink(path)
    if (place !== undefined) return this.redirect(place)
    if (path === '/ui/session') {
      requireSameOrigin(request, this.originOf(request))
      if (request.method === 'POST') requireOwnType(request, path)
      return withApiHeaders(await this.session.fetch(request))
    }
    if (path.startsWith('/ui/oidc/') && isReading(request.method)) return await this.signIn.fetch(request)
    if (path.startsWith(apiPath)) return await this.callApi(request, path.slice(apiPath.length - 1))
    const link = linkOfPath(path)
    if (link?.rest !== undefined) return await this.visit(request, link.id, link.rest)
    if (isReading(request.method)) return await this.pages.answer(path.slice('/ui'.length), request.headers)
    return Response.json({ detail: 'Not Found' }, { status: 404 })
  }

  /** A request of somebody who has a read-only link. */
  private async visit(request: Request, id: string, rest: string): Promise<Response> {
    if (rest === 'open' && request.method === 'POST') {
      requireSameOrigin(request, this.originOf(request))
      requireOwnType(request, '/open')
      return withApiHeaders(await this.links.open(request))
    }
    if (!rest.startsWith('api/')) return Response.json({ detail: 'Not Found' }, { status: 404 })
    this.links.begin(request, id)
    const response = await this.callApi(request, rest.slice('api'.length))
    // What was shared must not stay behind in the browser once the link has ended.
    response.headers.set('cache-control', 'no-store')
    return response
  }

  private async callApi(request: Request, path: string): Promise<Response> {
    requireSameOrigin(request, this.originOf(request))
    requireOwnType(request, path)
    this.api ??= this.options.createApi((one) => this.authenticate(one))
    const response = withApiHeaders(await this.api.fetch(readdress(request, path)))
    const { cookie } = this.options.states.of(request)
    if (cookie !== undefined) response.headers.append('set-cookie', cookie)
    return response
  }

  private async authenticate(request: Request): Promise<Caller> {
    const { linkId } = this.options.states.of(request)
    if (linkId !== undefined) return await this.links.authenticate(request, linkId)
    const { caller, token, isExtended } = await requireSession(request, this.options.services.logins.sessions)
    if (isExtended) {
      const { config, states } = this.options
      const scope = { basePath: config.basePath, isSecure: this.originOf(request).isSecure }
      states.of(request).cookie = sessionCookie(token, scope)
    }
    return caller
  }

  private originOf(request: Request): BrowserOrigin {
    return browserOriginOf(request, this.options.config, this.options.isFromProxy(request))
  }

  private redirect(place: string): Response {
    const location = `${this.options.config.basePath}/ui${place}`
    // The response to `/` depends on that header.
    return new Response(null, { status: 302, headers: { location, vary: 'accept' } })
  }
}

const isReading = (method: string): boolean => method === 'GET' || method === 'HEAD'

/** Adds what every answer to the UI has, unless its operation decided otherwise. */
function withApiHeaders(response: Response): Response {
  for (const [name, value] of Object.entries(apiHeaders)) {
    if (!response.headers.has(name)) response.headers.set(name, value)
  }
  // Browsers would ask for a user name and a password.
  response.headers.delete('www-authenticate')
  return response
}
