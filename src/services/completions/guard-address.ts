import { parseIp } from '../geolocation/ip-address.ts'
import { isPublicAddress } from '../geolocation/public-addresses.ts'
import { isAllowedHost } from '../public-url.ts'
import { refuseCompletion } from './refusal.ts'

/** Addresses of a host name. */
export type ResolveHost = (host: string) => Promise<readonly string[]>

export interface AddressRules {
  /** Hosts (`host` or `host:port`) that may be reached though they are private; `*` allows all. */
  readonly privateHosts: readonly string[]
  readonly resolve: ResolveHost
}

/**
 * Whoever may write objects of a project can make the server call an address. It must be of the public internet: neither the server's own
 * machine, nor its network, nor the metadata service of its cloud. A name counts as what it resolves to.
 *
 * @throws CompletionRefused
 */
export async function guardAddress(address: string, { privateHosts, resolve }: AddressRules): Promise<void> {
  const url = parse(address)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    refuseCompletion(`The base URL "${address}" is neither http nor https`)
  if (url.username !== '' || url.password !== '')
    refuseCompletion('The base URL of a provider may not hold credentials')
  if (isAllowedHost(url, privateHosts)) return
  const name = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = parseIp(name) === undefined ? await resolveOrRefuse(name, resolve) : [name]
  for (const found of addresses) {
    const words = parseIp(found)
    if (words === undefined || !isPublicAddress(words)) {
      refuseCompletion(
        `The provider's host "${url.host}" is at a private address; TRACELAKE_PRIVATE_HOSTS can allow it`,
      )
    }
  }
}

async function resolveOrRefuse(name: string, resolve: ResolveHost): Promise<readonly string[]> {
  const addresses = await resolve(name).catch(() => [])
  if (addresses.length === 0) refuseCompletion(`The provider's host "${name}" is not known`)
  return addresses
}

function parse(address: string): URL {
  try {
    return new URL(address)
  } catch {
    return refuseCompletion(`The base URL "${address}" is not a URL`)
  }
}
