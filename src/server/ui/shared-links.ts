import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Caller } from '../../domains/access/index.ts'
import { toErrorResponse } from '../../domains/requests/index.ts'
import { outsideOfTrace, type SharedLink, SharedReads } from '../../domains/sharing/index.ts'
import { DomainError } from '../../lib/errors.ts'
import { TimeText } from '../../lib/time.ts'
import type { Config } from '../../runtime/config/configuration.ts'
import type { Log } from '../../runtime/log.ts'
import type { DescribedRoute } from '../requests/operation.ts'
import type { RequestStates } from '../requests/request-state.ts'
import type { Services } from '../services.ts'
import type { BrowserOrigin } from './browser-origin.ts'
import { signInEntry } from './sign-in-api.ts'
import { smallBodies } from './small-bodies.ts'

const linkPath = /^\/ui\/shared\/([0-9a-f]{16})(?:\/(.+))?\/?$/

/** The link that a path is about, and what follows it; undefined for other paths. */
export function linkOfPath(path: string): { readonly id: string; readonly rest: string | undefined } | undefined {
  const [, id, rest] = linkPath.exec(path) ?? []
  return id === undefined ? undefined : { id, rest }
}

const cookieName = 'tracelake_link'

/** The secret that a browser keeps of the link that it has opened; undefined if there is none. */
function secretOf(headers: Headers): string | undefined {
  for (const pair of headers.get('cookie')?.split(';') ?? []) {
    const [key, value] = pair.trim().split('=')
    if (key === cookieName && value !== undefined && /^[0-9a-f]{64}$/.test(value)) return value
  }
  return undefined
}

const SharedTrace = Type.Object({
  project_id: Type.String(),
  trace_id: Type.String(),
  expires_at: TimeText,
  ended: Type.Null({ description: 'The link works' }),
})

const EndedLink = Type.Object({
  ended: Type.Union([Type.Literal('expired'), Type.Literal('revoked')], { description: 'Why the link does not work' }),
})

const openRoute = {
  params: Type.Object({ link: Type.String() }),
  body: Type.Object({
    secret: Type.Optional(
      Type.String({ maxLength: 256, description: 'Secret of the link; by default that of its cookie' }),
    ),
  }),
  response: { 200: Type.Union([SharedTrace, EndedLink]) },
  detail: {
    tags: ['Web UI'],
    security: [],
    operationId: 'ui.open_link',
    summary: 'Open a read-only link to a trace',
    description:
      'Sets a cookie that is valid below the path of the link only. With it, `/ui/shared/{link}/api/` serves the few ' +
      'operations that show this trace, and refuses all others. Ten wrong links a minute are allowed per address.',
    responses: {
      401: { description: 'There is no such link' },
      403: { description: 'Cross-site request' },
      429: { description: 'Too many wrong links from this address' },
    },
  },
}

interface LinksOptions {
  readonly config: Config
  readonly services: Services
  readonly log: Log
  readonly states: RequestStates
  readonly clientAddressOf: (request: Request) => string
  readonly originOf: (request: Request) => BrowserOrigin
}

/**
 * `/ui/shared/…`: what a visitor of a read-only link gets. See
 * docs/decisions/235-read-only-links.md.
 */
export class LinkVisits {
  readonly routes: readonly DescribedRoute[]
  private readonly options: LinksOptions
  private readonly reads: SharedReads
  private readonly opening: ReturnType<typeof openingApi>

  constructor(options: LinksOptions) {
    this.options = options
    this.reads = new SharedReads({ calls: options.services.calls })
    this.opening = openingApi(options)
    this.routes = this.opening.routes
  }

  /** Opens a link: exchanges its secret for a cookie. */
  async open(request: Request): Promise<Response> {
    return await this.opening.fetch(request)
  }

  /** Holds a request to the trace of a link. Call it before any operation sees the request. */
  begin(request: Request, id: string): void {
    const state = this.options.states.of(request)
    state.linkId = id
    // Operations without authentication are refused, too.
    state.narrow = async () => {
      throw outsideOfTrace()
    }
  }

  /**
   * The visitor who sends a request, once its operation is known.
   *
   * @throws DomainError Unauthorized, Forbidden, TooManyRequests
   */
  async authenticate(request: Request, id: string): Promise<Caller> {
    const { services, states, clientAddressOf } = this.options
    const link = await liveLink(services, { id, secret: secretOf(request.headers) }, clientAddressOf(request))
    const state = states.of(request)
    const operationId = state.operation?.detail.operationId
    if (operationId === undefined || !this.reads.allows(operationId)) throw outsideOfTrace()
    const visitor = services.sharedLinks.visitorOf(link)
    state.narrow = (asked) => this.reads.require(operationId, link, visitor.read(link.project_id), asked)
    return visitor
  }
}

/** @throws DomainError Unauthorized, TooManyRequests */
async function liveLink(
  { sharedLinks }: Services,
  { id, secret }: { readonly id: string; readonly secret: string | undefined },
  address: string,
): Promise<SharedLink> {
  if (secret === undefined)
    throw new DomainError('Unauthorized', 'Open the link again: this browser has no cookie of it')
  const { link, end } = await sharedLinks.redeem({ id, secret }, address)
  if (end !== undefined)
    throw new DomainError('Unauthorized', `This link has ${end === 'expired' ? '' : 'been '}${end}`)
  return link
}

function openingApi({ config, services, log, clientAddressOf, originOf }: LinksOptions) {
  const readBody = smallBodies('link')
  const cookieOf = (request: Request, { id, expires_ms }: SharedLink, secret: string): string => {
    const seconds = Math.max(Math.ceil((expires_ms - Date.now()) / 1000), 1)
    const path = `${config.basePath}/ui/shared/${id}/`
    const secure = originOf(request).isSecure ? '; Secure' : ''
    return `${cookieName}=${secret}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`
  }
  return new Elysia({ normalize: false, strictPath: true, handler: { standardHostname: false } })
    .onParse(({ request }) => readBody(request))
    .onError(({ error }) => toErrorResponse(error, log))
    .post(
      '/ui/shared/:link/open',
      async ({ request, params, body, set }): Promise<Static<typeof SharedTrace> | Static<typeof EndedLink>> => {
        const address = clientAddressOf(request)
        const secret = body.secret ?? secretOf(request.headers)
        if (secret === undefined) throw new DomainError('Unauthorized', 'The address lacks the secret of the link')
        const { link, end } = await services.sharedLinks.redeem({ id: params.link, secret }, address)
        const entry = signInEntry('ui.open_link', end === undefined ? 200 : 401, address)
        await services.audit.record({ ...entry, projectIds: [link.project_id], itemIds: [link.id], items: 1 })
        if (end !== undefined) return { ended: end }
        set.headers['set-cookie'] = cookieOf(request, link, secret)
        const { project_id, trace_id, expires_ms } = link
        return { project_id, trace_id, expires_at: new Date(expires_ms).toISOString(), ended: null }
      },
      openRoute,
    )
}
