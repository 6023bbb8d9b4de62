import { expect, test } from 'bun:test'
import net from 'node:net'
import process from 'node:process'
import { ownServer } from '../support/target.ts'

const server = await ownServer()
const { hostname, port } = new URL(server.client.address)
const secondsMax = 90

/**
 * Sends `text`, then nothing more. Returns what was received until the connection was closed, or
 * undefined if it was not closed in time.
 */
async function closedAfter(text: string): Promise<string | undefined> {
  const socket = net.connect(Number(port), hostname)
  let answer = ''
  const closed = new Promise<string>((resolve) => {
    socket.on('error', () => {}).on('close', () => resolve(answer))
  })
  socket.on('data', (piece) => {
    answer += piece.toString()
  })
  socket.write(text)
  const late = Bun.sleep(secondsMax * 1000).then(() => undefined)
  const outcome = await Promise.race([closed, late])
  socket.destroy()
  return outcome
}

// Deno closes none, and has no setting for it.
test.skipIf(process.env['TRACELAKE_TEST_RUNTIME'] === 'deno')(
  'connections with an incomplete request are closed',
  async () => {
    const head = 'POST /call/read HTTP/1.1\r\nHost: tracelake\r\nContent-Ty'
    expect(await Promise.all([closedAfter(''), closedAfter('GET'), closedAfter(head)])).toEqual(['', '', ''])
  },
  120_000,
)
