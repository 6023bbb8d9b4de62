import type { Delivery } from './peer.ts'

const retrySeconds = 0.2

/**
 * Sends requests over `connections` at a time. A server that has no room (429, 503) gets the same
 * request again a moment later.
 *
 * @throws Error if a request is refused
 */
export async function sendDeliveries(url: string, deliveries: Iterable<Delivery>, connections: number): Promise<void> {
  const queue = deliveries[Symbol.iterator]()
  const work = async () => {
    for (let next = queue.next(); !next.done; next = queue.next()) await deliver(url, next.value)
  }
  await Promise.all(Array.from({ length: connections }, work))
}

async function deliver(url: string, { path, bytes, headers }: Delivery): Promise<void> {
  for (;;) {
    const answer = await fetch(`${url}${path}`, { method: 'POST', body: bytes, headers: { ...headers } })
    const text = await answer.text()
    if (answer.ok) return
    if (answer.status !== 429 && answer.status !== 503)
      throw new Error(`Send to ${path}: answered ${answer.status}: ${text.slice(0, 300)}`)
    await Bun.sleep(retrySeconds * 1000)
  }
}
