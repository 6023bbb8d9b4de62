import { parseIp } from '../../foundation/geolocation/ip-address.ts'
import { isPublicAddress } from '../../foundation/geolocation/public-addresses.ts'
import { isAllowedHost } from '../../foundation/public-url.ts'
import type { OutboundHttp } from '../../http/outbound-http.ts'
import { refuseCompletion } from './refusal.ts'

export interface AddressRules {
  /** Hosts (`host` or `host:port`) that may be reached though they are private; `*` allows all. */
  readonly privateHosts: readonly string[]
  readonly resolve: OutboundHttp['resolve']
}

/**
 * Whoever may write objects of a project can make the server call an address. It must be of the public internet: neither the server's own
 * machine, nor its network, nor the metadata service of its cloud. A name counts as what it resolves to.
 *
 * @returns the addresses that were looked at, to connect to one of them: a name may resolve to others a
 * moment later. Undefined for a host that the operator allows, wherever it is
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
