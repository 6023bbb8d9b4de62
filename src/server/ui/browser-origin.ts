import { DomainError, quoted } from '../../lib/errors.ts'
import type { Config } from '../../runtime/config/configuration.ts'

/** The address at which browsers reach this server. */
export interface BrowserOrigin {
  /** For example `https://traces.example.com`. */
  readonly origin: string
  readonly isSecure: boolean
}

/**
 * The address that a request was sent to, as its browser knows it: the public URL of the
 * configuration, else what a trusted proxy says, else what the request says.
 *
 * @param isFromProxy whether the peer is a trusted proxy
 */
export function browserOriginOf(request: Request, { publicUrl }: Config, isFromProxy: boolean): BrowserOrigin {
  if (publicUrl !== undefined) {
    const { origin, protocol } = new URL(publicUrl)
    return { origin, isSecure: protocol === 'https:' }
  }
  const url = new URL(request.url)
  const forwarded = (name: string): string | undefined =>
    isFromProxy ? request.headers.get(name)?.split(',')[0]?.trim() || undefined : undefined
  const protocol = forwarded('x-forwarded-proto') === 'https' ? 'https' : url.protocol.slice(0, -1)
  const host = forwarded('x-forwarded-host') ?? request.headers.get('host') ?? url.host
  return { origin: `${protocol}://${host}`, isSecure: protocol === 'https' }
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses cross-site requests. Browsers state the origin of a request in headers that pages cannot
 * set. Requests that change something must state it; requests that only read are refused if they
 * state another site.
 *
 * @throws DomainError Forbidden
 */
export function requireSameOrigin({ method, headers }: Request, { origin }: BrowserOrigin): void {
  const isSafe = safeMethods.has(method)
  const site = headers.get('sec-fetch-site')
  if (site !== null) {
    if (site === 'same-origin' || (isSafe && site === 'none')) return
    throw new DomainError('Forbidden', `Cross-site request refused (Sec-Fetch-Site: ${quoted(site)})`)
  }
  // Browsers omit that header on connections that are neither TLS nor localhost.
  const from = headers.get('origin')
  if (from === null ? isSafe : hostOf(from) === hostOf(origin)) return
  throw new DomainError(
    'Forbidden',
    `Cross-site request refused: its origin is ${from === null ? 'unknown' : quoted(from)}, not ${quoted(origin)}. ` +
      'Behind a proxy, forward the Host header or set TRACELAKE_PUBLIC_URL',
  )
}

/** Proxies that do not say so may use TLS, so the scheme is not compared. */
const hostOf = (origin: string): string | undefined => URL.parse(origin)?.host
