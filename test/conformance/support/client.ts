import { checkDeclared } from './declared-statuses.ts'
import { flushBefore } from './in-clickhouse.ts'
import { isInLake } from './lake-place.ts'

/** An answer, read to its end. `json` is undefined where the body is not JSON. */
export interface Answer<T> {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
  readonly text: string
  readonly json: T
}

export interface RequestOptions {
  /** Key instead of the client's own; null sends no credentials. */
  key?: string | null
  headers?: Record<string, string>
}

/** A plain HTTP client of one server: it asserts nothing and hides nothing. */
export class Client {
  readonly address: string
  readonly key: string

  constructor(address: string, key: string) {
    this.address = address.replace(/\/+$/, '')
    this.key = key
  }

  /** The same server with another key. */
  withKey(key: string): Client {
    return new Client(this.address, key)
  }

  get<T = unknown>(path: string, options: RequestOptions = {}): Promise<Answer<T>> {
    return this.send<T>('GET', path, null, options)
  }

  /** Posts `body` as JSON. */
  post<T = unknown>(path: string, body: unknown, options: RequestOptions = {}): Promise<Answer<T>> {
    return this.postRaw<T>(path, JSON.stringify(body), options)
  }

  /** Posts `body` as it is, announced as JSON unless `options` say otherwise. */
  postRaw<T = unknown>(
    path: string,
    body: string | Uint8Array<ArrayBuffer>,
    options: RequestOptions = {},
  ): Promise<Answer<T>> {
    const headers = { 'content-type': 'application/json', ...options.headers }
    return this.send<T>('POST', path, body, { ...options, headers })
  }

  /** Puts `body` as JSON. */
  put<T = unknown>(path: string, body: unknown, options: RequestOptions = {}): Promise<Answer<T>> {
    const headers = { 'content-type': 'application/json', ...options.headers }
    return this.send<T>('PUT', path, JSON.stringify(body), { ...options, headers })
  }

  delete<T = unknown>(path: string, options: RequestOptions = {}): Promise<Answer<T>> {
    return this.send<T>('DELETE', path, null, options)
  }

  async send<T = unknown>(
    method: string,
    path: string,
    body: string | Uint8Array<ArrayBuffer> | null,
    { key = this.key, headers = {} }: RequestOptions = {},
  ): Promise<Answer<T>> {
    const credentials: Record<string, string> = key === null ? {} : { authorization: basic('api', key) }
    await flushBefore(this.address, path)
    const response = await fetch(this.address + path, { method, headers: { ...credentials, ...headers }, body })
    await checkDeclared(this.address, method, path, response.status)
    const bytes = new Uint8Array(await response.arrayBuffer())
    const text = new TextDecoder().decode(bytes)
    const json = parseOrUndefined(text)
    if (isInLake && response.status === 503 && isOfStandby(json)) {
      await Bun.sleep(100)
      return await this.send<T>(method, path, body, { key, headers })
    }
    return { status: response.status, headers: response.headers, bytes, text, json: json as T }
  }
}

/**
 * On a busy machine, a node may come too late to renew its lease. It then refuses requests for a
 * moment, and has done nothing of what they ask.
 */
const isOfStandby = (json: unknown): boolean =>
  typeof json === 'object' && json !== null && 'status' in json && json.status === 'standby'

export const basic = (user: string, password: string): string => `Basic ${btoa(`${user}:${password}`)}`

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
