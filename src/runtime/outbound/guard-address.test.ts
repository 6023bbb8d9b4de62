import { expect, test } from 'bun:test'
import { guardAddress } from './guard-address.ts'

const hosts: Readonly<Record<string, readonly string[]>> = {
  'public.example': ['93.184.216.34', '2606:2800:220:1::1'],
  'inside.example': ['10.1.2.3'],
  'both.example': ['93.184.216.34', '127.0.0.1'],
  'metadata.example': ['169.254.169.254'],
  'mapped.example': ['::ffff:192.168.0.1'],
}
const resolve = async (host: string): Promise<readonly string[]> => {
  const addresses = hosts[host]
  if (addresses === undefined) throw new Error('ENOTFOUND')
  return addresses
}
const guard = (address: string, ...privateHosts: string[]) =>
  guardAddress(address, { privateHosts, resolve, names: { url: 'base URL', host: 'provider host' } })

test.each(['https://public.example/v1', 'http://93.184.216.34:8080/v1', 'https://[2606:2800:220:1::1]/v1'])(
  'allows %s',
  async (address) => {
    await guard(address)
  },
)

test.each([
  ['https://inside.example/v1', 'private'],
  ['https://both.example/v1', 'private'],
  ['https://metadata.example', 'private'],
  ['https://mapped.example', 'private'],
  ['http://127.1/v1', 'private'],
  ['http://0x7f000001/v1', 'private'],
  ['http://[fd00::1]/v1', 'private'],
  ['http://[::ffff:127.0.0.1]/v1', 'private'],
  ['http://[::ffff:0:7f00:1]/v1', 'private'],
  ['http://[64:ff9b::7f00:1]/v1', 'private'],
  ['http://[2002:7f00:1::1]/v1', 'private'],
  ['http://[2001:0:7f00:1::1]/v1', 'private'],
  ['http://[4000::1]/v1', 'private'],
  ['https://nowhere.example', 'Cannot resolve'],
  ['ftp://public.example', 'must be http or https'],
  ['https://me:secret@public.example', 'credentials'],
  ['public.example', 'Invalid base URL'],
])('rejects %s: %s', async (address, message) => {
  expect(guard(address)).rejects.toThrow(message)
})

test('private hosts are allowed if configured by the operator', async () => {
  await guard('http://inside.example/v1', 'inside.example')
  await guard('http://127.0.0.1:8000/v1', '127.0.0.1:8000')
  await guard('http://10.0.0.1', '*')
  expect(guard('http://127.0.0.1:8001/v1', '127.0.0.1:8000')).rejects.toThrow('private')
})
