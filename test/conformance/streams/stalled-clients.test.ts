import { beforeAll, expect, test } from 'bun:test'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { readLimits } from '../../../src/lib/limits/reads.ts'
import { basic } from '../support/client.ts'
import { freshProject, ownServer } from '../support/target.ts'
import { until } from '../support/until.ts'

const server = await ownServer()
const project = freshProject(server.client)
const testMsMax = 120_000

/**
 * More than the buffers of a connection hold, and less than lets all the streams together run out
 * of memory.
 */
const count = 16
const payloadChars = 1_000_000

beforeAll(async () => {
  for (let i = 0; i < count; i++) await project.add({ id: `call-${i}`, output: 'x'.repeat(payloadChars) })
})

/** A client that asks for everything and reads nothing. */
async function stalledClient(): Promise<Socket> {
  const { hostname, port } = new URL(server.client.address)
  const socket = connect(Number(port), hostname).pause()
  await once(socket, 'connect')
  const body = JSON.stringify({ project_id: project.id })
  const head = [
    'POST /calls/stream_query HTTP/1.1',
    `host: ${hostname}`,
    `authorization: ${basic('api', server.client.key)}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
  ]
  socket.on('error', () => {}).write(`${head.join('\r\n')}\r\n\r\n${body}`)
  return socket
}

async function queries(state: 'running' | 'waiting'): Promise<number> {
  const { text } = await server.client.get('/metrics')
  return Number(new RegExp(`^tracelake_queries_${state} (\\d+)`, 'm').exec(text)![1])
}

test(
  'stalled clients are preempted as needed, and a request that stopped waiting is forgotten',
  async () => {
    const stalled = await Promise.all(Array.from({ length: readLimits.streamsMax }, stalledClient))
    await until(async () => (await queries('running')) === readLimits.streamsMax)

    const leaving = new AbortController()
    const left = fetch(`${server.client.address}/calls/stream_query`, {
      method: 'POST',
      headers: { authorization: basic('api', server.client.key), 'content-type': 'application/json' },
      body: JSON.stringify({ project_id: project.id }),
      signal: leaving.signal,
    }).catch((cause: Error) => cause.name)
    await until(async () => (await queries('waiting')) === 1)
    leaving.abort()
    expect(await left).toBe('AbortError')
    await until(async () => (await queries('waiting')) === 0)

    expect(await project.idsOf({ limit: 2, columns: ['id'] })).toHaveLength(2)
    // The others are left in peace.
    await until(async () => (await queries('running')) === readLimits.streamsMax - 1)
    for (const socket of stalled) socket.destroy()
    await until(async () => (await queries('running')) === 0)
  },
  testMsMax,
)
