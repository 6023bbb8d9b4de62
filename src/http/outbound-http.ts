import { lookup } from 'node:dns/promises'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIPv6 } from 'node:net'
import { responseOf } from '../platform/incoming-response.ts'
import { environmentVariable } from '../platform/runtime.ts'

/** How requests to other servers leave this machine. */
export interface OutboundHttp {
  /** Addresses of a host, as the system resolves it. @throws Error where it has none */
  resolve(host: string): Promise<readonly string[]>
  /**
   * `fetch`: it follows no redirect, and lets an answer take as long as its signal allows (Bun would give
   * up after five minutes).
   */
  fetch(url: string, init: RequestInit): Promise<Response>
  /**
   * The same, but connects to one of `addresses` and asks no name server: whoever checked them knows where
   * the request goes. Name of the server, certificate and `Host` are those of the URL. Only texts can be
   * sent. Through a proxy the proxy alone decides where a name leads.
   */
  fetchAt(addresses: readonly string[], url: string, init: RequestInit): Promise<Response>
}

const fetchExternal: OutboundHttp['fetch'] = (url, init) =>
  globalThis.fetch(url, { ...init, redirect: 'manual', timeout: false } as RequestInit)

export const systemOutboundHttp: OutboundHttp = {
  resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  fetch: fetchExternal,
  fetchAt: (addresses, url, init) => (hasProxy(url) ? fetchExternal(url, init) : requestAt(addresses, url, init)),
}

/** Whether the environment names a proxy for `url`, as `fetch` reads it on both runtimes. */
function hasProxy(url: string): boolean {
  const name = url.startsWith('https:') ? 'https_proxy' : 'http_proxy'
  return (environmentVariable(name) ?? environmentVariable(name.toUpperCase())) !== undefined
}

function requestAt(addresses: readonly string[], url: string, init: RequestInit): Promise<Response> {
  const { body, signal, method = 'GET' } = init
  if (body !== undefined && body !== null && typeof body !== 'string') throw new Error('Only text bodies can be sent')
  const candidates = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  const options = {
    method,
    // `fetch` would inflate the answer, this does not.
    headers: { ...Object.fromEntries(new Headers(init.headers)), 'accept-encoding': 'identity' },
    // A connection of its own: one that is kept might have been made for another address.
    agent: false,
    lookup: (_host: string, { all }: { all?: boolean | undefined }, done: LookedUp) => {
      if (all) done(null, candidates)
      else done(null, candidates[0]!.address, candidates[0]!.family)
    },
    ...(signal && { signal }),
  } as const
  const request = url.startsWith('https:') ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (answer) => resolve(responseOf(answer)))
    sent.on('error', reject)
    sent.end(body ?? undefined)
  })
}

type LookedUp = (error: null, address: string | { address: string; family: number }[], family?: number) => void
