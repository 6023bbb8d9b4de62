import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { attemptNameOf, type Caller, type OpenId, SignInProblem, toSignInProblem } from '../../domains/access/index.ts'
import type { AuditEntry } from '../../domains/audit/index.ts'
import { toErrorResponse } from '../../domains/requests/index.ts'
import { DomainError } from '../../lib/errors.ts'
import { requestLimits } from '../../lib/limits/requests.ts'
import type { Config } from '../../runtime/config/configuration.ts'
import type { Log } from '../../runtime/log.ts'
import { randomHex } from '../../runtime/platform/crypto.ts'
import type { Services } from '../services.ts'
import type { BrowserOrigin } from './browser-origin.ts'
import { uiHeaders } from './policy.ts'
import { type CookieScope, sessionCookie, sessionTokenOf } from './session-cookie.ts'

/** The entry of a sign-in for the audit log. @param caller undefined if it failed */
export const signInEntry = (operation: string, status: number, address: string, caller?: Caller): AuditEntry => ({
  kind: 'sign-in',
  operation,
  userId: caller?.userId ?? '',
  userName: caller?.userName ?? '',
  projectIds: [],
  itemIds: [],
  items: 0,
  status,
  address,
  requestId: undefined,
})

const prefix = 'tracelake_sign_in_'

/** The browser's state of the sign-in attempt with that name; undefined if there is none. */
function attemptOf(headers: Headers, name: string): string | undefined {
  for (const pair of headers.get('cookie')?.split(';') ?? []) {
    const [key, ...value] = pair.trim().split('=')
    if (key === prefix + name) return value.join('=')
  }
  return undefined
}

/**
 * A `Set-Cookie` header for an attempt. Unlike the session, it has to come along when the provider
 * sends the browser back, which is a link from another site.
 */
const attemptCookie = (name: string, sealed: string, scope: CookieScope): string =>
  cookie(name, sealed, Math.floor(requestLimits.signInMs / 1000), scope)

/** A `Set-Cookie` header that removes an attempt from the browser. */
const noAttemptCookie = (name: string, scope: CookieScope): string => cookie(name, '', 0, scope)

const cookie = (name: string, value: string, seconds: number, { basePath, isSecure }: CookieScope): string =>
  `${prefix}${name}=${value}; Path=${basePath}/ui/oidc/; Max-Age=${seconds}; HttpOnly; SameSite=Lax` +
  (isSecure ? '; Secure' : '')

/**
 * A page that opens another of the UI. After a redirect from another site, the browser would not
 * send the cookie of the session, which it keeps from requests of other sites.
 *
 * @param path of a page of the UI
 */
function forwardingPage(path: string, cookies: readonly string[]): Response {
  const target = path.replace(/[&"'<>]/g, (char) => `&#${char.charCodeAt(0)};`)
  const html =
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>tracelake</title>' +
    `<meta http-equiv="refresh" content="0;url=${target}"></head>` +
    `<body><a href="${target}">Continue</a></body></html>`
  const headers = new Headers({ ...uiHeaders, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(html, { headers })
}

const common = { tags: ['Web UI'], security: [] }
const toProvider = { 302: { description: 'To the OpenID provider, or to the login page with the problem' } }
const nextCharsMax = 1500

const startRoute = {
  query: Type.Object(
    { next: Type.Optional(Type.String({ description: 'Path of the page of the web UI to open afterwards' })) },
    { additionalProperties: true },
  ),
  detail: {
    ...common,
    operationId: 'ui.begin_sign_in',
    summary: 'Sign in to the web UI through the OpenID provider',
    responses: { ...toProvider, 404: { description: 'No OpenID provider is configured' } },
  },
}

const callbackRoute = {
  detail: {
    ...common,
    operationId: 'ui.finish_sign_in',
    summary: 'Come back from the OpenID provider',
    description: 'The redirect URI to register with the provider. Opens a session of the web UI.',
    responses: {
      200: { description: 'A page that redirects to the requested page' },
      302: { description: 'To the login page with the problem' },
      404: { description: 'No OpenID provider is configured' },
    },
  },
}

interface SignInApiOptions {
  readonly config: Config
  readonly services: Services
  readonly log: Log
  readonly clientAddressOf: (request: Request) => string
  readonly originOf: (request: Request) => BrowserOrigin
}

/**
 * `/ui/oidc/…`: leaving for the OpenID provider and coming back. See
 * docs/decisions/205-facts-for-snippets.md.
 */
export function signInApi({ config, services, log, clientAddressOf, originOf }: SignInApiOptions) {
  const { basePath } = config
  const { logins } = services
  const scopeOf = (request: Request) => ({ basePath, isSecure: originOf(request).isSecure })
  const pageOf = (request: Request, next: string | null): string => {
    const { origin } = originOf(request)
    const url = next === null || next.length > nextCharsMax ? null : URL.parse(next, origin)
    // Anything else in the address could have been put there to lead people away.
    const isOurs = url?.origin === origin && url.pathname.startsWith(`${basePath}/ui/`)
    return isOurs ? url.pathname + url.search : `${basePath}/ui/`
  }
  const explain = (cause: unknown, next: string, cookies: readonly string[] = []): Response => {
    const { code, message } = toSignInProblem(cause, 'sign in')
    const reference = randomHex(4)
    log.warn({ reference, problem: code, reason: message }, 'a sign-in failed')
    const query = new URLSearchParams({ problem: code, reference, next })
    const headers = new Headers({
      ...uiHeaders,
      'cache-control': 'no-store',
      location: `${basePath}/ui/login?${query}`,
    })
    for (const cookie of cookies) headers.append('set-cookie', cookie)
    return new Response(null, { status: 302, headers })
  }
  const required = (): OpenId => {
    if (logins.openId !== undefined) return logins.openId
    throw new DomainError('NotFound', 'No OpenID provider is configured')
  }
  return new Elysia({ normalize: false, strictPath: true, handler: { standardHostname: false } })
    .onError(({ error }) => toErrorResponse(error, log))
    .get(
      '/ui/oidc/start',
      async ({ request }) => {
        const openId = required()
        const next = pageOf(request, new URL(request.url).searchParams.get('next'))
        try {
          const redirectUri = `${originOf(request).origin}${basePath}/ui/oidc/callback`
          const { url, attemptName, sealed } = await openId.begin({ redirectUri, next })
          const cookie = attemptCookie(attemptName, sealed, scopeOf(request))
          const headers = { ...uiHeaders, location: url.href, 'cache-control': 'no-store', 'set-cookie': cookie }
          return new Response(null, { status: 302, headers })
        } catch (cause) {
          return explain(cause, next)
        }
      },
      startRoute,
    )
    .get(
      '/ui/oidc/callback',
      async ({ request }) => {
        required()
        const answer = new URL(request.url).searchParams
        const state = answer.get('state')
        const name = attemptNameOf(state ?? '')
        const gone = noAttemptCookie(name, scopeOf(request))
        try {
          if (state === null) throw new SignInProblem('invalid', 'the provider answered without a state')
          const before = sessionTokenOf(request.headers)
          const sealed = attemptOf(request.headers, name)
          const { token, next, caller } = await logins.withProvider(answer, sealed, clientAddressOf(request))
          if (before !== undefined) await logins.sessions.end(before)
          await services.audit.record(signInEntry('ui.finish_sign_in', 200, clientAddressOf(request), caller))
          return forwardingPage(next, [sessionCookie(token, scopeOf(request)), gone])
        } catch (cause) {
          void services.audit.record(signInEntry('ui.finish_sign_in', 401, clientAddressOf(request)))
          return explain(cause, `${basePath}/ui/`, [gone])
        }
      },
      callbackRoute,
    )
}
