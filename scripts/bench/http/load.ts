import { Connection } from './connection.ts'

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
