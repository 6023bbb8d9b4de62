import ipaddr from 'ipaddr.js'
import { type IpWords, toAddress } from './ip-address.ts'

const allocatedIpv6 = ipaddr.parseCIDR('2000::/3')

/**
 * Ranges without a country: IANA's special-purpose registries (RFC 6890 and its successors),
 * multicast, reserved.
 */
const specialRanges = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  // Only 2000::/3 of IPv6 is allocated; these are inside it. Teredo and 6to4 embed an IPv4 address,
  // which may be private.
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
].map((range) => ipaddr.parseCIDR(range))

/** Whether an address may be on the public internet, judging by its form. */
export function isPublicAddress(words: IpWords): boolean {
  const address = toAddress(words)
  const isIn = ([network, bits]: [ipaddr.IPv4 | ipaddr.IPv6, number]): boolean =>
    network.kind() === address.kind() && address.match([network, bits])
  return (address.kind() === 'ipv4' || isIn(allocatedIpv6)) && !specialRanges.some(isIn)
}
