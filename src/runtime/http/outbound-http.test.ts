import { afterAll, expect, test } from 'bun:test'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { systemOutboundHttp } from './outbound-http.ts'

type Handle = (request: IncomingMessage, response: ServerResponse) => void

/** A server at a loopback address that no name resolves to. */
async function serverAt(address: string, handle: Handle): Promise<number> {
  const server = createServer(handle)
  await new Promise<void>((resolve) => server.listen(0, address, () => resolve()))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const address = process.platform === 'linux' ? '127.0.0.2' : '127.0.0.1'

test('a request goes to the pinned address with the host of its URL, whatever the name resolves to', async () => {
  const port = await serverAt(address, async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method, url, headers } = request
    const { host, authorization } = headers
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ method, url, host, authorization, body: Buffer.concat(chunks).toString() }))
  })
  for (const name of ['models.example', 'localhost']) {
    const answer = await systemOutboundHttp.fetchAt([address], `http://${name}:${port}/v1/chat?a=1`, {
      method: 'POST',
      headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
      body: '{"ü":1}',
    })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json'])
    expect(await answer.json()).toEqual({
      method: 'POST',
      url: '/v1/chat?a=1',
      host: `${name}:${port}`,
      authorization: 'Bearer x',
      body: '{"ü":1}',
    })
  }
})

test('a response is streamed, and abandoning it closes the connection', async () => {
  const closed = Promise.withResolvers<void>()
  const port = await serverAt(address, (_request, response) => {
    response.write('data: 1\n\n')
    response.on('close', () => closed.resolve())
  })
  const abort = new AbortController()
  const answer = await systemOutboundHttp.fetchAt([address], `http://models.example:${port}/`, { signal: abort.signal })
  const reader = answer.body!.getReader()
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('data: 1\n\n')
  const next = reader.read()
  abort.abort()
  await expect(next).rejects.toThrow()
  await closed.promise
})

test('cancelling the body closes the connection', async () => {
  const closed = Promise.withResolvers<void>()
  const port = await serverAt(address, (_request, response) => {
    response.write('x')
    response.on('close', () => closed.resolve())
  })
  const answer = await systemOutboundHttp.fetchAt([address], `http://models.example:${port}/`, {})
  await answer.body!.cancel()
  await closed.promise
})

test('a connection lost in the middle of a response is an error, not its end', async () => {
  const port = await serverAt(address, (_request, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('half', () => response.destroy())
  })
  const answer = await systemOutboundHttp.fetchAt([address], `http://models.example:${port}/`, {})
  await expect(answer.text()).rejects.toThrow()
})

test('a redirect is returned, not followed; a response without a body has none', async () => {
  const port = await serverAt(address, (request, response) => {
    const status = Number(request.url!.slice(1))
    response.writeHead(status, { location: 'http://127.0.0.1/' }).end()
  })
  for (const status of [302, 308, 204, 304]) {
    const answer = await systemOutboundHttp.fetchAt([address], `http://models.example:${port}/${status}`, {})
    expect([answer.status, await answer.text()]).toEqual([status, ''])
  }
})

test('a request that is aborted beforehand or cannot connect fails', async () => {
  const signal = AbortSignal.abort()
  await expect(systemOutboundHttp.fetchAt([address], 'http://models.example:9/', { signal })).rejects.toThrow()
  await expect(systemOutboundHttp.fetchAt([address], 'http://models.example:9/', {})).rejects.toThrow()
})
