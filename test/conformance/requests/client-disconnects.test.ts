import { expect, test } from 'bun:test'
import { connect } from 'node:net'
import { basic } from '../support/client.ts'
import { ownServer } from '../support/target.ts'

const server = await ownServer()

/** Sends the head of a request and some of its body, and leaves. */
async function sendAndLeave(path: string, type: string, body: string): Promise<void> {
  const { hostname, port } = new URL(server.client.address)
  const head = [
    `POST ${path} HTTP/1.1`,
    `host: ${hostname}`,
    `authorization: ${basic('api', server.client.key)}`,
    `content-type: ${type}`,
    `content-length: ${body.length * 2}`,
  ]
  await new Promise<void>((resolve) => {
    const sendBody = () => socket.write(body, () => setTimeout(() => socket.destroy(), 50))
    const socket = connect(Number(port), hostname, () =>
      // The request is under way before the rest comes, as with a slow line.
      socket.write(`${head.join('\r\n')}\r\n\r\n`, () => setTimeout(sendBody, 50)),
    )
    socket.on('error', () => {}).on('close', () => resolve())
  })
}

async function statusesOf(operation: string): Promise<string[]> {
  for (;;) {
    const { text } = await server.client.get('/metrics')
    const pattern = new RegExp(`^tracelake_requests_total\\{operation="${operation}",status="(\\d+)"\\}`, 'gm')
    const statuses = [...text.matchAll(pattern)].map(([, status]) => status!)
    if (statuses.length > 0) return statuses
    await Bun.sleep(20)
  }
}

const part = (head: string, content: string) => `--b\r\ncontent-disposition: form-data; ${head}\r\n\r\n${content}`

const uploads: [string, string, string, string][] = [
  ['a body of JSON', 'calls.upsertBatch', '/call/upsert_batch', `{"batch":["${'x'.repeat(200_000)}`],
  ['a form', 'files.create', '/file/create', part('name="file"; filename="f"', 'y'.repeat(200_000))],
]

test.each(uploads)('a client that disconnects during %s causes no server error', async (_what, ...upload) => {
  const [operation, path, body] = upload
  const type = path === '/file/create' ? 'multipart/form-data; boundary=b' : 'application/json'
  await sendAndLeave(path, type, body)
  expect(await statusesOf(operation)).toEqual(['499'])
})
