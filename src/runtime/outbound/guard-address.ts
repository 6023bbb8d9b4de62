import { isPublicAddress, parseIp } from '../geolocation/public-addresses.ts'
import type { OutboundHttp } from '../http/outbound-http.ts'

/**
 * Whether the operator allows the host of a URL for providers although it may be private. @param
 * hosts `host`, `host:port`, or `*` for all
 */
const isAllowedHost = ({ host, hostname }: URL, hosts: readonly string[]): boolean =>
  hosts.some((allowed) => allowed === '*' || allowed === host || allowed === hostname)

/**
 * Whether a text is an http or https URL without query and fragment whose host may be public,
 * judging by its form. See docs/decisions/040-custom-provider-addresses.md.
 *
 * @param privateHosts additional allowed hosts
 */
export function isPublicUrl(text: string, privateHosts: readonly string[] = []): boolean {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || /[?#]/.test(text)) return false
  if (isAllowedHost(url, privateHosts)) return true
  const host = url.hostname.replace(/\.$/, '')
  const address = parseIp(host.replace(/^\[(.*)\]$/, '$1'))
  if (address !== undefined) return isPublicAddress(address)
  return host.includes('.') && !/(?:^|\.)(?:localhost|local|internal|home\.arpa)$/.test(host)
}

/** An address that the server must not contact. The message is shown to the user. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
}

export interface AddressRules {
  /** Private hosts (`host` or `host:port`) that may be contacted; `*` allows all. */
  readonly privateHosts: readonly string[]
  readonly resolve: OutboundHttp['resolve']
  /** Names of the URL and its host in messages: `base URL`, `provider host`. */
  readonly names: { readonly url: string; readonly host: string }
}

/**
 * Anyone who can write to a project can make the server contact an address, so it must be on the
 * public internet: not this machine, its network, or the metadata service of its cloud. Names are
 * checked by what they resolve to.
 *
 * @returns the checked addresses to connect to, because the name may resolve differently a moment
 *   later. Undefined for a host allowed by the operator
 * @throws AddressRefused
 */
export async function guardAddress(address: string, rules: AddressRules): Promise<readonly string[] | undefined> {
  const { names, privateHosts, resolve } = rules
  const url = URL.parse(address) ?? refuse(`Invalid ${names.url} "${address}"`)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    refuse(`The ${names.url} "${address}" must be http or https`)
  }
  if (url.username !== '' || url.password !== '') refuse(`The ${names.url} must not contain credentials`)
  if (isAllowedHost(url, privateHosts)) return undefined
  const name = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = parseIp(name) === undefined ? await resolve(name).catch(() => []) : [name]
  if (addresses.length === 0) refuse(`Cannot resolve the ${names.host} "${name}"`)
  for (const found of addresses) {
    const words = parseIp(found)
    if (words === undefined || !isPublicAddress(words)) {
      refuse(`The ${names.host} "${url.host}" has a private address; allow it with TRACELAKE_PRIVATE_HOSTS`)
    }
  }
  return addresses
}

function refuse(message: string): never {
  throw new AddressRefused(message)
}
