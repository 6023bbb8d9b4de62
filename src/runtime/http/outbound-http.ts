import { lookup } from 'node:dns/promises'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIPv6 } from 'node:net'
import { itemAt } from '../../lib/present.ts'
import { environmentVariable } from '../platform/runtime.ts'

/**
 * Converts a server's response to what `fetch` returns. The body is read only as fast as it is
 * consumed, and cancelling it closes the connection.
 */
function responseOf(answer: IncomingMessage): Response {
  const headers = new Headers()
  for (const [name, values] of Object.entries(answer.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value)
  }
  const status = answer.statusCode ?? 0
  const hasNoBody = status === 204 || status === 205 || status === 304
  if (hasNoBody) answer.resume()
  return new Response(hasNoBody ? null : bodyOf(answer), { status, statusText: answer.statusMessage ?? '', headers })
}

function bodyOf(answer: IncomingMessage): ReadableStream<Uint8Array> {
  const pieces: AsyncIterator<Uint8Array> = answer[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await pieces.next()
        // A connection that breaks midway must not look like the end.
        if (done && !answer.complete) throw new Error('Connection closed in the middle of the response')
        if (done) controller.close()
        else controller.enqueue(new Uint8Array(value))
      },
      cancel: () => void answer.destroy(),
    },
    { highWaterMark: 0 },
  )
}

/** HTTP requests to other servers. */
export interface OutboundHttp {
  /** Resolves a host name with the system resolver. @throws Error if it has no address */
  resolve(host: string): Promise<readonly string[]>
  /**
   * `fetch` that follows no redirects and has no timeout except its signal (Bun would give up after
   * five minutes).
   */
  fetch(url: string, init: RequestInit): Promise<Response>
  /**
   * The same, but connects to one of `addresses` without another DNS lookup, so the request goes
   * where the caller has checked. SNI, certificate check and `Host` use the URL. Only text
   * and bytes are supported as bodies. Behind a proxy, the proxy resolves the name.
   */
  fetchAt(addresses: readonly string[], url: string, init: RequestInit): Promise<Response>
}

const fetchExternal: OutboundHttp['fetch'] = (url, init) =>
  globalThis.fetch(url, { ...init, redirect: 'manual', timeout: false })

export const systemOutboundHttp: OutboundHttp = {
  resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  fetch: fetchExternal,
  fetchAt: (addresses, url, init) => (hasProxy(url) ? fetchExternal(url, init) : requestAt(addresses, url, init)),
}

/** Whether the environment configures a proxy for `url`, as `fetch` reads it on both runtimes. */
function hasProxy(url: string): boolean {
  const name = url.startsWith('https:') ? 'https_proxy' : 'http_proxy'
  return (environmentVariable(name) ?? environmentVariable(name.toUpperCase())) !== undefined
}

function requestAt(addresses: readonly string[], url: string, init: RequestInit): Promise<Response> {
  const { body, signal, method = 'GET' } = init
  if (body !== undefined && body !== null && typeof body !== 'string' && !(body instanceof Uint8Array)) {
    throw new Error('Only text and bytes can be sent')
  }
  const candidates = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  const options = {
    method,
    // Unlike `fetch`, this does not decompress the response.
    headers: { ...Object.fromEntries(new Headers(init.headers)), 'accept-encoding': 'identity' },
    // A new connection: a pooled one might lead to another address.
    agent: false,
    lookup: (_host: string, { all }: { all?: boolean | undefined }, done: LookedUp) => {
      if (all) done(null, candidates)
      else {
        const first = itemAt(candidates, 0)
        done(null, first.address, first.family)
      }
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
