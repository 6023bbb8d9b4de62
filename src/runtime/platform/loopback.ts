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
