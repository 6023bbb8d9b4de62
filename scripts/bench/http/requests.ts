import { Connection } from './connection.ts'

/** Address and key of a server. */
export interface Target {
  readonly url: string
  readonly key: string
}

const encoder = new TextEncoder()

/** The bytes of a whole HTTP/1.1 POST request, ready for a socket. */
export function postRequest(
  { url, key }: Target,
  path: string,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = { 'content-type': 'application/json' },
): Uint8Array {
  const bytes = typeof body === 'string' ? encoder.encode(body) : body
  const head = encoder.encode(
    `POST ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAuthorization: Bearer ${key}\r\n` +
      Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('') +
      `Content-Length: ${bytes.byteLength}\r\n\r\n`,
  )
  const request = new Uint8Array(head.byteLength + bytes.byteLength)
  request.set(head)
  request.set(bytes, head.byteLength)
  return request
}

/** Results of sending requests. */
export interface Load {
  readonly seconds: number
  /** For each response, in order of arrival. */
  readonly latenciesMs: number[]
  readonly requestBytes: number
  readonly responseBytes: number
}

/**
 * Sends `requests` over `connections` keep-alive connections, each sending its next one after a
 * response.
 *
 * @throws Error unless all responses have status 200
 */
export async function sendAll(url: string, requests: Iterable<Uint8Array>, connections: number): Promise<Load> {
  const open = await Promise.all(Array.from({ length: connections }, () => Connection.open(url)))
  const queue = requests[Symbol.iterator]()
  const latenciesMs: number[] = []
  let requestBytes = 0
  let responseBytes = 0
  const work = async (connection: Connection) => {
    for (let next = queue.next(); !next.done; next = queue.next()) {
      const answer = await connection.exchange(next.value)
      if (answer.status !== 200) throw new Error(`Send a request: answered ${answer.status}`)
      latenciesMs.push(answer.totalMs)
      requestBytes += next.value.byteLength
      responseBytes += answer.bodyBytes
    }
  }
  const startMs = performance.now()
  try {
    await Promise.all(open.map(work))
  } finally {
    for (const connection of open) connection[Symbol.dispose]()
  }
  return { seconds: (performance.now() - startMs) / 1000, latenciesMs, requestBytes, responseBytes }
}
