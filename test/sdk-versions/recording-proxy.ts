/** A request that the server rejected or failed. */
export interface Refused {
  readonly request: string
  readonly status: number
  readonly answer: string
}

/**
 * A proxy between a client and the server that records 4xx and 5xx responses, because clients hide
 * some of them.
 */
export function startRecordingProxy(target: string): {
  readonly address: string
  readonly refused: Refused[]
  readonly stop: () => Promise<void>
} {
  const refused: Refused[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 120,
    maxRequestBodySize: 2 ** 31,
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const headers = new Headers(request.headers)
      headers.delete('host')
      headers.set('accept-encoding', 'identity')
      const body = request.body === null ? undefined : await request.arrayBuffer()
      const answer = await fetch(target + pathname + search, { method: request.method, headers, body })
      if (answer.status < 400) return answer
      const text = await answer.text()
      refused.push({ request: `${request.method} ${pathname}`, status: answer.status, answer: text.slice(0, 300) })
      return new Response(text, { status: answer.status, headers: answer.headers })
    },
  })
  return { address: `http://127.0.0.1:${server.port}`, refused, stop: () => server.stop(true) }
}
