import { DomainError } from '../errors.ts'

/** A listening HTTP server, the same on Bun and Deno. */
export interface HttpListener {
  /** Base address, for example `http://127.0.0.1:8470`. */
  readonly url: string
  /** Stops accepting; waits up to `graceMs` for answers under way, then closes what is left. */
  stop(graceMs: number): Promise<void>
}

/** The other end of a connection. */
export interface HttpClient {
  /** Its address, looked up when asked for: the first time costs Bun forty milliseconds. */
  ip(): string | undefined
  /**
   * Lets nothing be sent for as long as it takes, also when the answer has begun, until what this returns is called. Else
   * one over which nothing goes for `idleSeconds` is closed.
   */
  holdOpen(): () => void
}

export type Fetch = (request: Request, client: HttpClient) => Response | Promise<Response>

export interface ListenOptions {
  readonly host: string
  /** 0 asks for any free port. */
  readonly port: number
  readonly fetch: Fetch
  /** The runtime itself refuses bodies above this; our own limit answers first with a better error. */
  readonly bodyBytesMax: number
  /** The answer where `fetch` itself throws. Without it the runtimes would show the error to the client. */
  readonly toErrorResponse: (error: unknown) => Response
  /**
   * A connection over which nothing goes for so long is closed (up to 255), unless a request waits for its answer. Bun closes those that have
   * not sent all of their first headers after twelve seconds.
   */
  readonly idleSeconds: number
  /** Requests that may be under way together; further ones are answered 503. */
  readonly requestsMax: number
}

interface DenoServer {
  readonly addr: { hostname: string; port: number }
  shutdown(): Promise<void>
}
interface DenoGlobal {
  serve(
    options: {
      hostname: string
      port: number
      signal: AbortSignal
      onListen: () => void
      onError: (error: unknown) => Response
    },
    handle: (request: Request, info: { remoteAddr: { hostname?: string } }) => Response | Promise<Response>,
  ): DenoServer
}

export function listen(options: ListenOptions): HttpListener {
  const deno = (globalThis as { Deno?: DenoGlobal }).Deno
  return deno ? listenOnDeno(deno, options) : listenOnBun(options)
}

function listenOnBun(options: ListenOptions): HttpListener {
  const { host, port, fetch, bodyBytesMax, toErrorResponse, idleSeconds } = options
  const underWay = new RequestsUnderWay()
  const server = Bun.serve({
    hostname: host,
    port,
    idleTimeout: idleSeconds,
    maxRequestBodySize: bodyBytesMax,
    // Else errors are answered with pages that show the source.
    development: false,
    // Without development Bun lets several servers listen on one port, and each gets some of the requests.
    reusePort: false,
    error: toErrorResponse,
    fetch: async (request, self) => {
      if (underWay.count >= options.requestsMax) return toErrorResponse(tooMany())
      const done = underWay.add(request)
      try {
        const client: HttpClient = {
          ip: () => self.requestIP(request)?.address,
          holdOpen: () => underWay.add(request),
        }
        return await fetch(withWholeUrl(request), client)
      } finally {
        done()
        // From now on every piece that is sent counts anew.
        self.timeout(request, idleSeconds)
      }
    },
  })
  // Bun's time runs from the request on, whatever its body or its answer are waiting for.
  const keepOpen = setInterval(() => {
    for (const request of underWay.requests()) server.timeout(request, idleSeconds)
  }, keepOpenMs)
  keepOpen.unref()
  return {
    url: addressOf(host, server.port ?? port),
    stop: async (graceMs) => {
      await withinGrace(server.stop(false), graceMs, () => server.stop(true))
      clearInterval(keepOpen)
    },
  }
}

/** Well within the time that a connection may be idle. */
const keepOpenMs = 4_000

const tooMany = () => new DomainError('Overloaded', 'Too many concurrent requests; try again in a moment')

/** Requests whose connections must stay open, each as often as somebody wants it so. */
class RequestsUnderWay {
  count = 0
  private readonly holds = new Map<Request, number>()

  requests(): Iterable<Request> {
    return this.holds.keys()
  }

  /** @returns what ends it; again is harmless */
  add(request: Request): () => void {
    this.count++
    this.holds.set(request, (this.holds.get(request) ?? 0) + 1)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.count--
      const left = this.holds.get(request)! - 1
      if (left === 0) this.holds.delete(request)
      else this.holds.set(request, left)
    }
  }
}

/**
 * The runtimes take the URL of a request from its Host header. Without one, as in HTTP/1.0, Bun has only a path; with one that is no host,
 * both have a text that is no URL.
 */
function withWholeUrl(request: Request): Request {
  const { url } = request
  if (URL.canParse(url)) return request
  const path = url.slice(url.startsWith('/') ? 0 : url.indexOf('/', 'http://'.length))
  return new Request(`http://localhost${path}`, request)
}

/** Deno closes no idle connections, and has no way to ask for it. */
function listenOnDeno(deno: DenoGlobal, options: ListenOptions): HttpListener {
  const { host, port, fetch, toErrorResponse } = options
  const abort = new AbortController()
  const underWay = new RequestsUnderWay()
  const server = deno.serve(
    { hostname: host, port, signal: abort.signal, onListen: () => {}, onError: toErrorResponse },
    async (request, info) => {
      if (underWay.count >= options.requestsMax) return toErrorResponse(tooMany())
      const done = underWay.add(request)
      try {
        const client = { ip: () => info.remoteAddr.hostname, holdOpen: () => underWay.add(request) }
        return await fetch(withWholeUrl(request), client)
      } finally {
        done()
      }
    },
  )
  return {
    url: addressOf(host, server.addr.port),
    stop: (graceMs) => withinGrace(server.shutdown(), graceMs, () => abort.abort()),
  }
}

async function withinGrace(stopped: Promise<void>, graceMs: number, force: () => unknown): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), graceMs)
  })
  const outcome = await Promise.race([stopped, late])
  clearTimeout(timer)
  if (outcome === 'late') await force()
}

function addressOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
