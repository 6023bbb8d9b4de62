/**
 * Serves TLS at a loopback address, sends it requests for the host names on the command line, and
 * prints the responses.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import process from 'node:process'
import { systemOutboundHttp } from '../../../src/runtime/http/outbound-http.ts'

const pem = readFileSync(new URL('models.example.pem', import.meta.url))
const server = createServer({ key: pem, cert: pem }, (request, response) => response.end(request.headers.host))
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
const { port } = server.address() as AddressInfo
for (const name of process.argv.slice(2)) {
  const answer = systemOutboundHttp.fetchAt(['127.0.0.1'], `https://${name}:${port}/`, {}).then((one) => one.text())
  console.log(
    await answer.then(
      (host) => host.replace(`:${port}`, ''),
      (cause) => `refused: ${cause.code}`,
    ),
  )
}
process.exit(0)
