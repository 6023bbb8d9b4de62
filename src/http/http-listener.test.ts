import { expect, test } from 'bun:test'
import { listen } from './http-listener.ts'

const options = {
  host: '127.0.0.1',
  fetch: () => new Response('here'),
  bodyBytesMax: 1024,
  idleSeconds: 240,
  requestsMax: 2,
  toErrorResponse: () => new Response(null, { status: 500 }),
}

test('listening on a port in use fails', async () => {
  const first = listen({ ...options, port: 0 })
  const port = Number(new URL(first.url).port)
  try {
    expect(() => listen({ ...options, port })).toThrow(/in use/)
    expect(await (await fetch(first.url)).text()).toBe('here')
  } finally {
    await first.stop(0)
  }
  // The port is free again at once.
  await listen({ ...options, port }).stop(0)
})
