import type { Config } from '../../config.ts'
import { DomainError, quoted } from '../../errors.ts'

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
 * Refuses a request that another site or another server made a browser send. Browsers say where a
 * request comes from, and pages cannot change what they say. A request that changes something needs
 * that proof; what only reads is refused if it comes from elsewhere.
 *
 * @throws DomainError Forbidden
 */
export function requireSameOrigin({ method, headers }: Request, { origin }: BrowserOrigin): void {
  const isSafe = safeMethods.has(method)
  const site = headers.get('sec-fetch-site')
  if (site !== null) {
    if (site === 'same-origin' || (isSafe && site === 'none')) return
    throw new DomainError('Forbidden', `Use the web UI: the request comes from another site (${quoted(site)})`)
  }
  // Browsers leave that header out where neither TLS nor localhost protects it from being changed.
  const from = headers.get('origin')
  if (from === null ? isSafe : hostOf(from) === hostOf(origin)) return
  throw new DomainError(
    'Forbidden',
    `Use the web UI: the request comes from ${from === null ? 'an unknown site' : quoted(from)}, not from ` +
      `${quoted(origin)}; a proxy has to pass the header Host on, or set TRACELAKE_PUBLIC_URL`,
  )
}

/** Proxies that do not say so may use TLS, so the scheme is not compared. */
const hostOf = (origin: string): string | undefined => URL.parse(origin)?.host
