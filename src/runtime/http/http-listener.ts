import { DomainError } from '../../lib/errors.ts'

/**
 * Gives a request another path and returns it. A copy with another URL would hold the whole body in
 * memory on Bun, and the runtime would not know it as one of its requests.
 *
 * @param path with a slash in front
 */
export function readdress(request: Request, path: string): Request {
  const url = new URL(request.url)
  url.pathname = path
  Object.defineProperty(request, 'url', { value: url.href, configurable: true })
  return request
}

/** A listening HTTP server, the same on Bun and Deno. */
export interface HttpListener {
  /** Base address, for example `http://127.0.0.1:8470`. */
  readonly url: string
  /**
   * Stops accepting connections, waits up to `graceMs` for requests in progress, then closes what
   * is left.
   */
  stop(graceMs: number): Promise<void>
}

/** The remote end of a connection. */
export interface HttpClient {
  /** Its address, resolved lazily: the first lookup costs 40 ms on Bun. */
  ip(): string | undefined
  /**
   * Suspends the idle timeout until the returned function is called, also while the response is
   * being sent.
   */
  holdOpen(): () => void
}

export type Fetch = (request: Request, client: HttpClient) => Response | Promise<Response>

export interface ListenOptions {
  readonly host: string
  /** 0 selects any free port. */
  readonly port: number
  readonly fetch: Fetch
  /**
   * Hard limit enforced by the runtime; our own limit is checked first and gives a better error.
   */
  readonly bodyBytesMax: number
  /**
   * The response if `fetch` itself throws. Otherwise the runtime would show the error to the
   * client.
   */
  readonly toErrorResponse: (error: unknown) => Response
  /**
   * Idle timeout of connections without a pending request, at most 255. Bun also closes connections
   * that have not sent all headers of their first request after twelve seconds.
   */
  readonly idleSeconds: number
  /** Maximum number of concurrent requests; further ones are answered with 503. */
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

declare global {
  var Deno: DenoGlobal | undefined
}

export function listen(options: ListenOptions): HttpListener {
  const deno = globalThis.Deno
  try {
    return deno ? listenOnDeno(deno, options) : listenOnBun(options)
  } catch (cause) {
    if (!isAddressInUse(cause)) throw cause
    throw new Error('the port is in use', { cause })
  }
}

/** Bun has a code; Deno a name. */
const isAddressInUse = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'AddrInUse' || ('code' in error && error.code === 'EADDRINUSE'))

function listenOnBun(options: ListenOptions): HttpListener {
  const { host, port, fetch, bodyBytesMax, toErrorResponse, idleSeconds } = options
  const underWay = new RequestsUnderWay()
  const server = Bun.serve({
    hostname: host,
    port,
    idleTimeout: idleSeconds,
    maxRequestBodySize: bodyBytesMax,
    // Otherwise errors are answered with pages that show source code.
    development: false,
    // Outside development mode Bun lets several servers share a port and distributes requests among
    // them.
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
        // From here on, every chunk sent restarts the timer.
        self.timeout(request, idleSeconds)
      }
    },
  })
  // Bun's timer starts with the request, no matter what its body or response is waiting for.
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

/** Well below the idle timeout. */
const keepOpenMs = 4_000

const tooMany = () => new DomainError('Overloaded', 'Too many concurrent requests; try again in a moment')

/** Requests whose connections must stay open, with a reference count each. */
class RequestsUnderWay {
  private readonly holds = new Map<Request, number>()

  get count(): number {
    return this.holds.size
  }

  requests(): Iterable<Request> {
    return this.holds.keys()
  }

  /** @returns a function that releases the connection; calling it again is harmless */
  add(request: Request): () => void {
    this.holds.set(request, (this.holds.get(request) ?? 0) + 1)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      const left = (this.holds.get(request) ?? 1) - 1
      if (left === 0) this.holds.delete(request)
      else this.holds.set(request, left)
    }
  }
}

/**
 * The runtimes build the request URL from its Host header. Without one, as in HTTP/1.0, Bun yields
 * only a path; with a malformed one, both yield an invalid URL.
 */
function withWholeUrl(request: Request): Request {
  const { url } = request
  if (URL.canParse(url)) return request
  const path = url.slice(url.startsWith('/') ? 0 : url.indexOf('/', 'http://'.length))
  return new Request(`http://localhost${path}`, request)
}

/** Deno does not close idle connections and has no option for it. */
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
