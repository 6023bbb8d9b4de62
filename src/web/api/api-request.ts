import { root, sharedLink } from '../base.ts'

const api = sharedLink === undefined ? `${root}/api` : `${root}/shared/${sharedLink}/api`

/**
 * Address of a public operation as the UI reaches it, in neutral names: by the cookie of the
 * session, or by that of a read-only link.
 * @param path of the public API, such as `/calls/stream_query`
 */
export const apiUrl = (path: string): string => api + path

/** The method, body and headers of a request that sends JSON. */
export const jsonPost = (body: unknown, headers: Readonly<Record<string, string>> | undefined) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

/** Header of a request for an answer in JSON Lines. */
export const acceptLines = { accept: 'application/jsonl' } as const
