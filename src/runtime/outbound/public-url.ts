import { parseIp } from '../geolocation/ip-address.ts'
import { isPublicAddress } from '../geolocation/public-addresses.ts'

/**
 * Whether the operator allows the host of a URL for providers although it may be private. @param
 * hosts `host`, `host:port`, or `*` for all
 */
export const isAllowedHost = ({ host, hostname }: URL, hosts: readonly string[]): boolean =>
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
