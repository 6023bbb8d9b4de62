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
  readonly answerError: (error: unknown) => Response
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

function listenOnBun({ host, port, fetch, bodyBytesMax, answerError }: ListenOptions): HttpListener {
  const server = Bun.serve({
    hostname: host,
    port,
    idleTimeout: 0,
    maxRequestBodySize: bodyBytesMax,
    // Else errors are answered with pages that show the source.
    development: false,
    // Without development Bun lets several servers listen on one port, and each gets some of the requests.
    reusePort: false,
    error: answerError,
    fetch: (request, self) => fetch(withWholeUrl(request), { ip: () => self.requestIP(request)?.address }),
  })
  return {
    url: addressOf(host, server.port ?? port),
    stop: (graceMs) => withinGrace(server.stop(false), graceMs, () => server.stop(true)),
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

function listenOnDeno(deno: DenoGlobal, { host, port, fetch, answerError }: ListenOptions): HttpListener {
  const abort = new AbortController()
  const server = deno.serve(
    { hostname: host, port, signal: abort.signal, onListen: () => {}, onError: answerError },
    (request, info) => fetch(withWholeUrl(request), { ip: () => info.remoteAddr.hostname }),
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
