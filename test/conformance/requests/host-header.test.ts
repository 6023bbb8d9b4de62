import { describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { sharedServer } from '../support/target.ts'

const server = await sharedServer()
const { hostname, port } = new URL(server.address)
const credentials = `Authorization: Basic ${btoa(`api:${server.key}`)}`

/**
 * What the server answers to these lines, until it closes the connection or has said all that it
 * announced.
 */
async function exchange(...lines: string[]): Promise<{ status: number; text: string; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.setEncoding('utf8')
  socket.on('data', (piece: string) => {
    text += piece
    const announced = /\r\ncontent-length: (\d+)\r\n/i.exec(text)?.[1]
    const body = text.split('\r\n\r\n').slice(1).join('\r\n\r\n')
    if (announced !== undefined && body.length >= Number(announced)) resolve(text)
  })
  socket.on('close', () => resolve(text))
  socket.on('error', reject)
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  try {
    const answer = await promise
    const [, status] = /^HTTP\/1\.[01] (\d+)/.exec(answer) ?? []
    return { status: Number(status), text: answer, body: answer.slice(answer.indexOf('\r\n\r\n') + 4) }
  } finally {
    socket.destroy()
  }
}

describe('a request without a host', () => {
  // So ask the health checks of many load balancers.
  test('is answered in HTTP/1.0', async () => {
    const answer = await exchange('GET /health HTTP/1.0')
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.body)).toEqual({ status: 'ok' })
  })

  test('is routed with its parameters and its body', async () => {
    const body = JSON.stringify({ project_ids: ['a/b'] })
    const length = `Content-Length: ${body.length}`
    const answer = await exchange('POST /service/projects_info?x=1 HTTP/1.0', credentials, length, '', body)
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.body)).toMatchObject([{ external_project_id: 'a/b' }])
    expect((await exchange('GET /tags?project_id=a/b HTTP/1.0', credentials)).status).toBe(200)
    expect((await exchange('GET /geolocate HTTP/1.0', credentials)).body).toContain('"ip":"127.0.0.1"')
  })
})

test.each([
  'GET /health HTTP/1.1\r\nHost: a b',
  'GET /health HTTP/1.1\r\nHost: ',
  'GET /health HTTP/1.1\r\nHost: [',
  'GET /health HTTP/1.1\r\nHost: a:b:c',
  'GET /health HTTP/1.1\r\nHost: a:99999',
  'OPTIONS * HTTP/1.1\r\nHost: a',
  'GET * HTTP/1.1\r\nHost: a',
])('the response to %p reveals no internals', async (head) => {
  const { status, text } = await exchange(head)
  expect([status, text]).toEqual([status < 500 ? status : 'below 500', text])
  expect(text).not.toMatch(/<html|\.ts|node_modules|stack/i)
})
