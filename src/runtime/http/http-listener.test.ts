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
    expect(() => listen({ ...options, port })).toThrow(/^the port is in use$/)
    expect(await (await fetch(first.url)).text()).toBe('here')
  } finally {
    await first.stop(0)
  }
  // The port is free again at once.
  await listen({ ...options, port }).stop(0)
})

test('one request more than the maximum is refused, and the next one after that is not', async () => {
  const waiting: (() => void)[] = []
  const listener = listen({
    ...options,
    port: 0,
    fetch: () => new Promise((resolve) => waiting.push(() => resolve(new Response('here')))),
    toErrorResponse: (error) => new Response(String(error), { status: 503 }),
  })
  try {
    const first = [fetch(listener.url), fetch(listener.url)]
    while (waiting.length < 2) await Bun.sleep(5)
    const refused = await fetch(listener.url)
    expect(refused.status).toBe(503)
    expect(await refused.text()).toContain('Too many concurrent requests')
    for (const answer of waiting.splice(0)) answer()
    expect(await Promise.all(first.map(async (each) => (await each).status))).toEqual([200, 200])
    const next = fetch(listener.url)
    while (waiting.length < 1) await Bun.sleep(5)
    waiting[0]!()
    expect((await next).status).toBe(200)
  } finally {
    await listener.stop(0)
  }
})

test('a connection that sends nothing is closed, one that is held open is not', async () => {
  const { promise: wanted, resolve: release } = Promise.withResolvers<void>()
  const listener = listen({
    ...options,
    port: 0,
    // Connections with requests in progress are extended every four seconds, and Bun counts
    // seconds in steps of four.
    idleSeconds: 16,
    fetch: async (request, client) => {
      if (new URL(request.url).pathname !== '/held') return new Response('here')
      const letGo = client.holdOpen()
      await wanted
      letGo()
      return new Response('held')
    },
  })
  try {
    const held = fetch(`${listener.url}/held`)
    const { promise: closed, resolve } = Promise.withResolvers<void>()
    let received = ''
    const socket = await Bun.connect({
      hostname: '127.0.0.1',
      port: Number(new URL(listener.url).port),
      socket: {
        data: (_, bytes) => {
          received += bytes.toString()
        },
        close: () => resolve(),
      },
    })
    socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
    await closed
    expect(received).toContain('here')
    release()
    expect(await (await held).text()).toBe('held')
  } finally {
    release()
    await listener.stop(0)
  }
}, 120_000)
