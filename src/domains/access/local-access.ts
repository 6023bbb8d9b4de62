import { DomainError } from '../../lib/errors.ts'
import { isLoopbackAddress, isLoopbackHost } from '../../runtime/platform/client-address.ts'
import { Caller } from './caller.ts'

/** Entity of the projects of programs that send telemetry without a key. */
const localEntity = 'default'

/** The sender of telemetry without a key, who may write to the projects of one entity. */
const localCaller = new Caller({
  userId: 'local',
  userName: 'local',
  role: 'write',
  scope: localEntity,
  defaultEntity: localEntity,
})

/** Facts about a request without a key. */
export interface KeylessRequest {
  readonly headers: Headers
  /** Address of the peer. */
  readonly ip: string | undefined
  /** Host and port in the client's request. */
  readonly host: string
}

/** Set by proxies, behind which every client seems to be on this machine. */
const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']
/** Set by browsers, on which any web page could send requests. */
const browserHeaders = ['origin', 'sec-fetch-site', 'sec-fetch-mode']

/** Whether a request, by a browser or not, comes from this machine, and not through a proxy. */
export const isFromThisMachine = ({ headers, ip, host }: KeylessRequest): boolean =>
  ip !== undefined && isLoopbackAddress(ip) && isLoopbackHost(host) && !proxyHeaders.some((name) => headers.has(name))

/**
 * The caller of a request without a key, for a server that accepts telemetry from this machine. See
 * docs/decisions/097-local-use-without-keys.md.
 *
 * @throws DomainError Unauthorized if the request may come from elsewhere
 */
export function callerOnThisMachine({ headers, ip, host }: KeylessRequest): Caller {
  if (ip === undefined || !isLoopbackAddress(ip)) throw refusal('only programs on this machine may send telemetry')
  if (proxyHeaders.some((name) => headers.has(name))) throw refusal('no proxy may pass on telemetry')
  if (browserHeaders.some((name) => headers.has(name))) throw refusal('no web page may send telemetry')
  // The name that a web page has had itself given for this machine is not one of these.
  if (!isLoopbackHost(host)) throw refusal('telemetry must be sent to localhost or a loopback address')
  return localCaller
}

const refusal = (reason: string): DomainError => new DomainError('Unauthorized', `Without an API key, ${reason}`)
