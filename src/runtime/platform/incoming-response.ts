import type { IncomingMessage } from 'node:http'

/**
 * Converts a server's response to what `fetch` returns. The body is read only as fast as it is
 * consumed, and cancelling it closes the connection.
 */
export function responseOf(answer: IncomingMessage): Response {
  const headers = new Headers()
  for (const [name, values] of Object.entries(answer.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value)
  }
  const status = answer.statusCode ?? 0
  const hasNoBody = status === 204 || status === 205 || status === 304
  if (hasNoBody) answer.resume()
  return new Response(hasNoBody ? null : bodyOf(answer), { status, statusText: answer.statusMessage ?? '', headers })
}

function bodyOf(answer: IncomingMessage): ReadableStream<Uint8Array> {
  const pieces: AsyncIterator<Uint8Array> = answer[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await pieces.next()
        // A connection that breaks midway must not look like the end.
        if (done && !answer.complete) throw new Error('Connection closed in the middle of the response')
        if (done) controller.close()
        else controller.enqueue(new Uint8Array(value))
      },
      cancel: () => void answer.destroy(),
    },
    { highWaterMark: 0 },
  )
}
