import type { Session, Sessions } from '../../domains/access/index.ts'
import { DomainError } from '../../lib/errors.ts'
import { requestLimits } from '../../lib/limits/requests.ts'

const name = 'tracelake_session'

/** The session token that a browser sends; undefined if there is none. */
export function sessionTokenOf(headers: Headers): string | undefined {
  for (const pair of headers.get('cookie')?.split(';') ?? []) {
    const [key, value] = pair.trim().split('=')
    if (key === name && value !== undefined && /^[0-9a-f]{64}$/.test(value)) return value
  }
  return undefined
}

export interface CookieScope {
  readonly basePath: string
  /** Whether the browser reaches the server through TLS. */
  readonly isSecure: boolean
}

/**
 * A `Set-Cookie` header for a session. Scripts cannot read the cookie, other sites cannot make the
 * browser send it, and it goes to the UI only, never to the public API.
 */
export const sessionCookie = (token: string, scope: CookieScope): string =>
  cookie(token, Math.floor(requestLimits.sessionMs / 1000), scope)

/** A `Set-Cookie` header that removes the session from the browser. */
export const noSessionCookie = (scope: CookieScope): string => cookie('', 0, scope)

const cookie = (value: string, seconds: number, { basePath, isSecure }: CookieScope): string =>
  `${name}=${value}; Path=${basePath}/ui/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`

/** A session, with the token that its browser holds. */
type OwnSession = Session & { readonly token: string }

/**
 * The session that a request belongs to, by its cookie alone.
 *
 * @throws DomainError Unauthorized
 */
export async function requireSession(request: Request, sessions: Sessions): Promise<OwnSession> {
  const session = await findSession(request, sessions)
  if (session === undefined) throw new DomainError('Unauthorized', 'Not logged in; open the login page')
  return session
}

/** The session that a request belongs to, by its cookie alone; undefined if there is none. */
export async function findSession({ headers }: Request, sessions: Sessions): Promise<OwnSession | undefined> {
  const token = sessionTokenOf(headers)
  const session = token === undefined ? undefined : await sessions.find(token)
  return token === undefined || session === undefined ? undefined : { ...session, token }
}
