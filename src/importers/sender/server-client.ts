import { dialectOfServer } from '../../formats/dialect/dialect.ts'
import { toolLimits } from '../../lib/limits/tools.ts'
import type { OutboundHttp } from '../../runtime/http/outbound-http.ts'
import type { Target } from '../record.ts'

export interface ServerAddress {
  readonly url: string
  /** An API key, or a user name and a password with a colon between them. */
  readonly key: string | undefined
  readonly project: string
}

/** A server that answered with an error which a repetition would not change. */
export class RefusedRequest extends Error {
  readonly status: number

  constructor(path: string, status: number, message: string) {
    super(`${path}: ${status} ${message}`)
    this.status = status
  }
}

export interface Reply {
  readonly status: number
  readonly bytes: Uint8Array
  readonly text: string
}

/** Statuses that say nothing about the request itself. */
const transient: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504, 507])
const firstWaitMs = 200
const longestWaitMs = 10_000

/**
 * Requests to a server, repeated while it is overloaded, failing or unreachable. Everything that is
 * sent through it may be repeated without harm.
 */
export class ServerClient implements Target {
  readonly project: string
  dialect: Target['dialect'] = 'ext'
  private readonly address: ServerAddress
  private readonly http: OutboundHttp
  private readonly onWait: (reason: string) => void

  constructor(address: ServerAddress, http: OutboundHttp, onWait: (reason: string) => void) {
    this.address = address
    this.project = address.project
    this.http = http
    this.onWait = onWait
  }

  /** Asks the server for its dialect, once. @throws Error if there is no such server */
  async connect(): Promise<void> {
    const attempt = await this.attempt('/server_info', { method: 'GET' })
    if ('obstacle' in attempt) throw new Error(`Cannot reach ${this.address.url}: ${attempt.obstacle}`)
    if (attempt.status !== 200) throw new RefusedRequest('/server_info', attempt.status, attempt.text.slice(0, 300))
    this.dialect = dialectOfServer(attempt.text)
  }

  /** @throws RefusedRequest; Error if the server stays unreachable */
  async post(path: string, body: unknown): Promise<unknown> {
    const isForm = body instanceof FormData
    const { status, text } = await this.send(
      path,
      isForm ? body : JSON.stringify(body),
      isForm ? {} : { 'content-type': 'application/json' },
    )
    if (status >= 400) throw new RefusedRequest(path, status, text.slice(0, 1000))
    return text === '' ? undefined : JSON.parse(text)
  }

  /** @throws RefusedRequest; Error if the server stays unreachable */
  async put(path: string, body: unknown): Promise<unknown> {
    const headers = { 'content-type': 'application/json' }
    const { status, text } = await this.patiently(path, { method: 'PUT', body: JSON.stringify(body), headers })
    if (status >= 400) throw new RefusedRequest(path, status, text.slice(0, 1000))
    return text === '' ? undefined : JSON.parse(text)
  }

  /**
   * Sends a body that is already encoded. Errors that a repetition would not change are returned.
   */
  send(path: string, body: NonNullable<RequestInit['body']>, headers: Record<string, string>): Promise<Reply> {
    return this.patiently(path, { method: 'POST', body, headers })
  }

  get(path: string): Promise<Reply> {
    return this.patiently(path, { method: 'GET' })
  }

  /** The response to a request, whose body the caller reads. @throws RefusedRequest; Error */
  async open(path: string, init: RequestInit): Promise<Response> {
    const response = await this.fetch(path, init)
    if (!response.ok) throw new RefusedRequest(path, response.status, (await response.text()).slice(0, 1000))
    return response
  }

  private async patiently(path: string, init: RequestInit): Promise<Reply> {
    const givesUpMs = performance.now() + toolLimits.importPatienceMs
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
      const attempt = await this.attempt(path, init)
      if ('text' in attempt) return attempt
      if (performance.now() + waitMs > givesUpMs)
        throw new Error(`Cannot reach ${this.address.url}: ${attempt.obstacle}`)
      this.onWait(attempt.obstacle)
      const requestedMs = Math.min(attempt.retryAfterMs ?? 0, longestWaitMs)
      await new Promise((resolve) => setTimeout(resolve, Math.max(waitMs, requestedMs)))
    }
  }

  private async attempt(
    path: string,
    init: RequestInit,
  ): Promise<Reply | { readonly obstacle: string; readonly retryAfterMs?: number }> {
    let response: Response
    let bytes: Uint8Array
    try {
      response = await this.fetch(path, init)
      bytes = new Uint8Array(await response.arrayBuffer())
    } catch (cause) {
      return { obstacle: cause instanceof Error ? cause.message : String(cause) }
    }
    const text = new TextDecoder().decode(bytes)
    if (!transient.has(response.status)) return { status: response.status, bytes, text }
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    const obstacle = `${response.status} ${text.slice(0, 200)}`
    return Number.isFinite(seconds) ? { obstacle, retryAfterMs: seconds * 1000 } : { obstacle }
  }

  private fetch(path: string, init: RequestInit): Promise<Response> {
    const { url, key } = this.address
    const headers = new Headers(init.headers)
    if (key !== undefined) headers.set('authorization', `Basic ${btoa(key.includes(':') ? key : `api:${key}`)}`)
    return this.http.fetch(`${url.replace(/\/+$/, '')}${path}`, { ...init, headers })
  }
}
