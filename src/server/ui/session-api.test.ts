import { expect, test } from 'bun:test'
import { grpcUrlOf } from './session-api.ts'

test.each([
  ['the port it listens on', '127.0.0.1:24317', 'http://127.0.0.1:8470', 'http://127.0.0.1:24317'],
  ['the name that the browser uses', '127.0.0.1:4317', 'http://localhost:8470', 'http://localhost:4317'],
  ['the host that the browser uses', '0.0.0.0:4317', 'http://10.0.0.7:8470', 'http://10.0.0.7:4317'],
  ['no TLS, although a proxy has it', '0.0.0.0:4317', 'https://traces.example.com', 'http://traces.example.com:4317'],
  ['this machine, where nothing else reaches', '127.0.0.1:4317', 'https://traces.example.com', 'http://127.0.0.1:4317'],
  ['IPv6', '[::]:4317', 'http://[fd00::7]:8470', 'http://[fd00::7]:4317'],
  ['nothing when it is off', undefined, 'http://127.0.0.1:8470', null],
])('tells %s', (_, listening, origin, expected) => {
  expect(grpcUrlOf({ grpcUrl: undefined }, listening, origin)).toBe(expected)
})

test('TRACELAKE_GRPC_URL wins, except over no port at all', () => {
  const grpcUrl = 'https://otlp.example.com'
  expect(grpcUrlOf({ grpcUrl }, '127.0.0.1:4317', 'https://traces.example.com')).toBe(grpcUrl)
  expect(grpcUrlOf({ grpcUrl }, undefined, 'https://traces.example.com')).toBeNull()
})
