import { signal } from '@preact/signals'
import { apiUrl, jsonPost } from './api-request.ts'
import { isServerAnswer, probeServer } from './outage.ts'

/** Counts responses with status 401; the session listens. */
export const signOuts = signal(0)

/** Reports an answer that says that the session has ended. */
const signedOut = (): void => {
  signOuts.value++
}

/** A request that the server refused, or that did not reach it (status 0). */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly status: number
  /** Name of the error, such as `QueryTimeout`; undefined where the server gave none. */
  readonly type: string | undefined
  /** Further members of the answer, such as the line of an error. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(status: number, message: string, type?: string, cause?: unknown, details = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.status = status
    this.type = type
    this.details = details
  }

  /** Whether the same request may succeed a little later. */
  get isTemporary(): boolean {
    return this.status === 0 || this.status === 429 || this.status === 502 || this.status === 503
  }
}

/** The problem that a response which is not OK reports. */
export async function problemOf(response: Response): Promise<Problem> {
  const text = await response.text().catch(() => '')
  const { message, type, details } = described(text)
  const words = message ?? `${response.status} ${response.statusText}`.trim()
  return new Problem(response.status, words, type, undefined, details)
}

/** Errors carry `reason` and `error_type`, violations of a schema a list in `detail`. */
function described(text: string): { message?: string; type?: string | undefined; details?: object } {
  try {
    const body: { reason?: unknown; error_type?: unknown; detail?: unknown } = JSON.parse(text)
    const type = typeof body.error_type === 'string' ? body.error_type : undefined
    if (typeof body.reason === 'string') return { message: body.reason, type, details: body }
    if (typeof body.detail === 'string') return { message: body.detail, type }
    if (Array.isArray(body.detail)) return { message: body.detail.map(violationText).join('; '), type }
  } catch {
    // Not JSON: a proxy in between may answer in HTML, which is useless here.
  }
  return {}
}

function violationText(violation: { loc?: unknown; msg?: unknown }): string {
  const place = Array.isArray(violation.loc) ? violation.loc.join('.') : ''
  return place ? `${place}: ${String(violation.msg)}` : String(violation.msg)
}

/** Options of a request besides its body. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The answer to the same request, if it has been sent already. */
  readonly begun?: Promise<Response> | undefined
}

/**
 * Sends a request. A session that has ended brings the login page.
 * @throws {Problem} for any answer that is not OK, and where the server cannot be reached
 */
export async function send(url: string, init: RequestInit, begun?: Promise<Response>): Promise<Response> {
  const response = await reach(url, init, begun)
  if (response.ok) return response
  if (response.status === 401) signedOut()
  throw await problemOf(response)
}

/** Calls a public operation and answers its JSON. @throws {Problem} */
export async function post<Answer>(path: string, body: unknown, options: RequestOptions = {}): Promise<Answer> {
  const answer: Answer = await (await postRaw(path, body, options)).json()
  return answer
}

/** Calls a public operation and answers the response as it is. @throws {Problem} */
export const postRaw = (
  path: string,
  body: unknown,
  { signal, headers, begun }: RequestOptions = {},
): Promise<Response> => send(apiUrl(path), { ...jsonPost(body, headers), signal: signal ?? null }, begun)

/** Calls a public operation by another method; a body is sent as JSON. @throws {Problem} */
export const sendJson = (method: 'PUT' | 'DELETE', path: string, body?: unknown): Promise<Response> =>
  send(apiUrl(path), {
    method,
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })

/**
 * Sends a request, unless it has `begun`, and looks into it if the server is silent.
 * @throws {Problem} for no answer
 */
export async function reach(url: string, init: RequestInit, begun?: Promise<Response>): Promise<Response> {
  try {
    const response = await (begun ?? fetch(url, { credentials: 'same-origin', ...init }))
    if (!isServerAnswer(response)) void probeServer()
    return response
  } catch (error) {
    if (init.signal?.aborted) throw error
    void probeServer()
    throw new Problem(0, 'The server did not answer', undefined, error)
  }
}
