import { BlockList, isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Whether a host name, with or without a port, always means this machine. */
export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/:\d+$/, '').toLowerCase()
  return name === 'localhost' || isLoopbackAddress(name.replace(/^\[(.*)\]$/, '$1'))
}

/** Whether an IP address means this machine. */
export function isLoopbackAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  return ipaddr.process(address).range() === 'loopback'
}

/** Addresses and networks (`10.0.0.0/8`) of proxies whose forwarding headers are trusted. */
export class TrustedProxies {
  private readonly list = new BlockList()
  private readonly isEmpty: boolean

  /** @throws Error naming an entry that is neither an address nor a network */
  constructor(entries: readonly string[]) {
    this.isEmpty = entries.length === 0
    for (const entry of entries) this.add(entry)
  }

  /**
   * The address a request comes from: the last one in `X-Forwarded-For` that is not a trusted
   * proxy, provided that the peer is one.
   *
   * @param connected address of the peer
   */
  clientOf(connected: string, forwardedFor: string | null): string {
    if (this.isEmpty || forwardedFor === null || !this.has(connected)) return connected
    const hops = forwardedFor.split(',').map((hop) => hop.trim().replace(/^\[(.*)\](?::\d+)?$/, '$1'))
    const client = hops.findLast((hop) => isIP(hop) === 0 || !this.has(hop)) ?? hops[0] ?? connected
    return isIP(client) === 0 ? connected : client
  }

  /** Whether `connected`, the address of a peer, is that of a trusted proxy. */
  includes(connected: string | undefined): boolean {
    return connected !== undefined && !this.isEmpty && this.has(connected)
  }

  private has(address: string): boolean {
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
    return this.list.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4')
  }

  private add(entry: string): void {
    const [address = '', bits, ...more] = entry.split('/')
    const version = isIP(address)
    const family = version === 6 ? 'ipv6' : 'ipv4'
    const prefix = bits === undefined ? undefined : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN
    if (version === 0 || more.length > 0 || (prefix !== undefined && !(prefix <= (version === 6 ? 128 : 32))))
      throw new Error(`"${entry}" is neither an address nor a network such as 10.0.0.0/8`)
    if (prefix === undefined) this.list.addAddress(address, family)
    else this.list.addSubnet(address, prefix, family)
  }
}
