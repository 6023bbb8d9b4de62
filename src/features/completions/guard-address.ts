import { parseIp } from '../../foundation/geolocation/ip-address.ts'
import { isPublicAddress } from '../../foundation/geolocation/public-addresses.ts'
import { isAllowedHost } from '../../foundation/public-url.ts'
import type { OutboundHttp } from '../../http/outbound-http.ts'
import { refuseCompletion } from './refusal.ts'

export interface AddressRules {
  /** Private hosts (`host` or `host:port`) that may be contacted; `*` allows all. */
  readonly privateHosts: readonly string[]
  readonly resolve: OutboundHttp['resolve']
}

/**
 * Anyone who can write objects can make the server contact an address, so it must be on the public
 * internet: not this machine, its network, or the metadata service of its cloud. Names are checked
 * by what they resolve to.
 *
 * @returns the checked addresses to connect to, because the name may resolve differently a moment
 *   later. Undefined for a host allowed by the operator
 * @throws CompletionRefused
 */
export async function guardAddress(
  address: string,
  { privateHosts, resolve }: AddressRules,
): Promise<readonly string[] | undefined> {
  const url = parse(address)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    refuseCompletion(`The base URL "${address}" must be http or https`)
  if (url.username !== '' || url.password !== '')
    refuseCompletion('The base URL of a provider must not contain credentials')
  if (isAllowedHost(url, privateHosts)) return undefined
  const name = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = parseIp(name) === undefined ? await resolveOrRefuse(name, resolve) : [name]
  for (const found of addresses) {
    const words = parseIp(found)
    if (words === undefined || !isPublicAddress(words)) {
      refuseCompletion(`The provider host "${url.host}" has a private address; allow it with TRACELAKE_PRIVATE_HOSTS`)
    }
  }
  return addresses
}

async function resolveOrRefuse(name: string, resolve: OutboundHttp['resolve']): Promise<readonly string[]> {
  const addresses = await resolve(name).catch(() => [])
  if (addresses.length === 0) refuseCompletion(`Cannot resolve the provider host "${name}"`)
  return addresses
}

function parse(address: string): URL {
  try {
    return new URL(address)
  } catch {
    return refuseCompletion(`Invalid base URL "${address}"`)
  }
}
