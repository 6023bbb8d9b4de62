import { parseIp } from './geolocation/ip-address.ts'
import { isPublicAddress } from './geolocation/public-addresses.ts'

/** Whether a text is an http or https URL without query and fragment whose host may be on the public internet, as far as its form tells. */
export function isPublicUrl(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || /[?#]/.test(text)) return false
  const host = url.hostname.replace(/\.$/, '')
  const address = parseIp(host.replace(/^\[(.*)\]$/, '$1'))
  if (address !== undefined) return isPublicAddress(address)
  return host.includes('.') && !/(?:^|\.)(?:localhost|local|internal|home\.arpa)$/.test(host)
}
