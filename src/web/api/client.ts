import { base } from '../base.ts'
import { askServer, isServerAnswer } from './outage.ts'
import { Problem, problemOf } from './problem.ts'
import { signedOut } from './signed-out.ts'

/** What a request may carry beside its body. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/**
 * Address of a public operation as the UI reaches it, by the session's cookie and in neutral names.
 * @param path of the public API, such as `/calls/stream_query`
 */
export const apiUrl = (path: string): string => `${base}/ui/api${path}`

/**
 * Sends a request. A session that has ended brings the login page.
 * @throws {Problem} for any answer that is not OK, and where the server cannot be reached
 */
export async function send(url: string, init: RequestInit): Promise<Response> {
  const response = await reach(url, init)
  if (response.ok) return response
  if (response.status === 401) signedOut()
  throw await problemOf(response)
}

/** Calls a public operation and answers its JSON. @throws {Problem} */
export async function post<Answer>(path: string, body: unknown, options: RequestOptions = {}): Promise<Answer> {
  return (await (await postRaw(path, body, options)).json()) as Answer
}

/** Calls a public operation and answers the response as it is. @throws {Problem} */
export const postRaw = (path: string, body: unknown, { signal, headers }: RequestOptions = {}): Promise<Response> =>
  send(apiUrl(path), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: signal ?? null,
  })

/** Calls a public operation by another method; a body is sent as JSON. @throws {Problem} */
export const sendJson = (method: 'PUT' | 'DELETE', path: string, body?: unknown): Promise<Response> =>
  send(apiUrl(path), {
    method,
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })

/** Sends a request, and looks into it if the server is silent. @throws {Problem} for no answer */
export async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(url, { credentials: 'same-origin', ...init })
    if (!isServerAnswer(response)) void askServer()
    return response
  } catch (error) {
    if (init.signal?.aborted) throw error
    void askServer()
    throw new Problem(0, 'The server did not answer', undefined, error)
  }
}
