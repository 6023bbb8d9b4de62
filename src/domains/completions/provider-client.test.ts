import { expect, test } from 'bun:test'
import type { OutboundHttp } from '../../runtime/http/outbound-http.ts'
import type { Endpoint } from './endpoint.ts'
import { ProviderClient } from './provider-client.ts'

/**
 * A network whose name server returns a different address each time, and which records where
 * requests go.
 */
class FakeNetwork implements OutboundHttp {
  readonly connections: (readonly string[] | 'any')[] = []
  private readonly answers: string[][]

  constructor(...answers: string[][]) {
    this.answers = answers
  }

  resolve = async (): Promise<readonly string[]> => this.answers.shift() ?? ['127.0.0.1']

  fetch = async (): Promise<Response> => {
    this.connections.push('any')
    return Response.json({ choices: [] })
  }

  fetchAt = async (addresses: readonly string[]): Promise<Response> => {
    this.connections.push(addresses)
    return Response.json({ choices: [] })
  }
}

const publicAddress = ['93.184.216.34']
const privateAddresses = [
  '127.0.0.1',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '::1',
  '::',
  'fe80::1',
  'fc00::1',
  '::ffff:10.0.0.1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
]

const endpoint = {
  baseUrl: 'https://models.example/v1',
  isTrusted: false,
  headers: {},
  query: {},
} as unknown as Endpoint
const clientOf = (outgoing: OutboundHttp, ...privateHosts: string[]) => new ProviderClient({ privateHosts, outgoing })
const ask = (client: ProviderClient, requested = endpoint) =>
  client.post(requested, '/chat/completions', {}, { signal: new AbortController().signal })

test('a request goes to the address that was checked, even if the name resolves elsewhere later', async () => {
  const network = new FakeNetwork(publicAddress, publicAddress, ['127.0.0.1'])
  const client = clientOf(network)
  await client.requireAllowed(endpoint)
  await ask(client)
  expect(network.connections).toEqual([publicAddress])
})

test('a name that resolves to a private address after the first check gets no request', async () => {
  const network = new FakeNetwork(publicAddress, ['127.0.0.1'], ['127.0.0.1'], ['127.0.0.1'])
  const client = clientOf(network)
  await client.requireAllowed(endpoint)
  await expect(ask(client)).rejects.toThrow()
  expect(network.connections).toEqual([])
})

test('an image is fetched from the address that was checked', async () => {
  const network = new FakeNetwork(publicAddress, ['127.0.0.1'])
  await clientOf(network).download('https://pictures.example/1.png', new AbortController().signal)
  expect(network.connections).toEqual([publicAddress])
})

test.each(privateAddresses)('no request goes to %s, alone or listed with a public address', async (address) => {
  for (const answer of [[address], [...publicAddress, address]]) {
    const network = new FakeNetwork(answer, answer)
    await expect(clientOf(network).requireAllowed(endpoint)).rejects.toThrow()
    await expect(clientOf(network).download('https://models.example', new AbortController().signal)).rejects.toThrow()
    expect(network.connections).toEqual([])
  }
})

test('hosts allowed by the operator and trusted endpoints may resolve to any address', async () => {
  const network = new FakeNetwork()
  await ask(clientOf(network, 'models.example'))
  await ask(clientOf(network), { ...endpoint, isTrusted: true })
  expect(network.connections).toEqual(['any', 'any'])
})
