import { expect, test } from 'bun:test'
import { TrustedProxies } from './client-address.ts'

const proxies = new TrustedProxies(['127.0.0.1', '10.0.0.0/8', 'fd00::/8'])

test.each([
  ['no proxy', '127.0.0.1', null, '127.0.0.1'],
  ['one proxy', '127.0.0.1', '203.0.113.7', '203.0.113.7'],
  ['two proxies', '127.0.0.1', '203.0.113.7, 10.1.2.3', '203.0.113.7'],
  ['an address forged by the client', '::ffff:10.0.0.9', '1.1.1.1, 203.0.113.7', '203.0.113.7'],
  ['an untrusted proxy', '203.0.113.9', '1.1.1.1', '203.0.113.9'],
  ['an invalid header from a proxy', '127.0.0.1', 'unknown', '127.0.0.1'],
  ['only trusted proxies', '127.0.0.1', '10.0.0.1, 10.0.0.2', '10.0.0.1'],
  ['IPv6', 'fd00::1', '[2001:db8::1]:443', '2001:db8::1'],
])('%s', (_what, connected, forwardedFor, client) => {
  expect(proxies.clientOf(connected, forwardedFor)).toBe(client)
})

test.each(['10.0.0.0/33', 'proxy.local', '10.0.0.0/8/8', '10.0.0.0/x'])('%s is rejected', (entry) => {
  expect(() => new TrustedProxies([entry])).toThrow(entry)
})
