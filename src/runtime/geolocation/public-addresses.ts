import ipaddr from 'ipaddr.js'

/** An address as unsigned 32-bit words, most significant first: one for IPv4, four for IPv6. */
export type IpWords = readonly [number] | readonly [number, number, number, number]

/**
 * Parses an IPv4 address (four decimal numbers) or an IPv6 address (RFC 4291 §2.2, ignoring a zone
 * after `%`). An IPv4-mapped address (`::ffff:1.2.3.4`) yields the IPv4 address. Undefined if
 * `text` is not an address.
 */
export function parseIp(text: string): IpWords | undefined {
  const address = text.includes(':') ? parseIpv6(text.replace(/%.*/s, '')) : parseIpv4(text)
  return address && wordsOf(address.toByteArray())
}

/** The address in the form of the library that knows ranges. */
const toAddress = (words: readonly number[]): ipaddr.IPv4 | ipaddr.IPv6 =>
  ipaddr.fromByteArray(words.flatMap((word) => [word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255, word & 255]))

/** Dotted decimal form of IPv4; the shortest hexadecimal form of IPv6 (RFC 5952). */
export function formatIp(words: readonly number[]): string {
  const address = toAddress(words)
  return address instanceof ipaddr.IPv6 ? address.toRFC5952String() : address.toString()
}

// Other notations of IPv4, such as octal numbers, mean different addresses to different programs.
const parseIpv4 = (text: string): ipaddr.IPv4 | undefined =>
  ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text) : undefined

function parseIpv6(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (!ipaddr.IPv6.isValid(text)) return undefined
  const dotted = text.slice(text.lastIndexOf(':') + 1)
  if (dotted.includes('.') && !ipaddr.IPv4.isValidFourPartDecimal(dotted)) return undefined
  const address = ipaddr.IPv6.parse(text)
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address
}

function wordsOf(bytes: readonly number[]): IpWords {
  const word = (at: number): number => bytes.slice(at, at + 4).reduce((word, byte) => word * 256 + byte, 0)
  return bytes.length === 4 ? [word(0)] : [word(0), word(4), word(8), word(12)]
}

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
