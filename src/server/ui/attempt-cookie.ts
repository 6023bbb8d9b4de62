import { limits } from '../../lib/limits.ts'
import type { CookieScope } from './session-cookie.ts'

const prefix = 'tracelake_sign_in_'

/** What a browser kept of the attempt to sign in with a name; undefined if there is nothing. */
export function attemptOf(headers: Headers, name: string): string | undefined {
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
export const attemptCookie = (name: string, sealed: string, scope: CookieScope): string =>
  cookie(name, sealed, Math.floor(limits.signInMs / 1000), scope)

/** A `Set-Cookie` header that removes an attempt from the browser. */
export const noAttemptCookie = (name: string, scope: CookieScope): string => cookie(name, '', 0, scope)

const cookie = (name: string, value: string, seconds: number, { basePath, isSecure }: CookieScope): string =>
  `${prefix}${name}=${value}; Path=${basePath}/ui/oidc/; Max-Age=${seconds}; HttpOnly; SameSite=Lax` +
  (isSecure ? '; Secure' : '')
