import { expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { pino } from 'pino'
import { ClickHouseServer } from './clickhouse-server.ts'

const server = new ClickHouseServer({
  settings: {
    url: 'http://127.0.0.1:1',
    user: 'default',
    password: undefined,
    location: '/srv/data',
    storeKeys: undefined,
    bytesMin: 0,
  },
  timeoutMs: 1000,
  log: pino({ level: 'silent' }),
})
const asked = (...texts: readonly string[]) =>
  server.row(
    { text: 'SELECT 1', parameters: texts.map((text, index) => ({ name: `p${index}`, text })) },
    Type.Tuple([]),
    undefined,
  )

test.each([
  ['one value', ['ü'.repeat(70_000)]],
  ['all values together', Array.from({ length: 10 }, () => 'x'.repeat(110_000))],
])('%s longer than ClickHouse takes is refused before it is sent', async (_what, texts) => {
  await expect(asked(...texts)).rejects.toMatchObject({ type: 'InvalidRequest' })
})

test('a server that is not there is unavailable', async () => {
  await expect(asked('x'.repeat(100_000))).rejects.toMatchObject({ type: 'StoreUnavailable' })
})

test('neither errors nor the log repeat a secret that an answer contains', async () => {
  using fake = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => new Response("Code: 1. DB::Exception: s3('a', 'the secret'), the password", { status: 500 }),
  })
  const { failure, logged } = await failureOf(fake.url.href)
  expect(logged).toContain('[hidden]')
  expect(`${failure} ${logged}`).not.toMatch(/the (secret|password)/)
})

test('nor does the log repeat the values of a query that was not sent', async () => {
  const { fetch } = globalThis
  // As Deno words it.
  globalThis.fetch = Object.assign(
    (url: unknown) => Promise.reject(new TypeError(`error sending request for url (${String(url)}): refused`)),
    { preconnect: fetch.preconnect },
  )
  try {
    const { failure, logged } = await failureOf('http://127.0.0.1:1/')
    expect(failure).toContain('ClickHouse cannot be reached')
    expect(logged).toContain('error sending request for url (http://127.0.0.1:1/')
    expect(`${failure} ${logged}`).not.toMatch(/the.secret/)
  } finally {
    globalThis.fetch = fetch
  }
})

/** How a server with secrets fails, and what it logs. */
async function failureOf(url: string): Promise<{ failure: unknown; logged: string }> {
  let logged = ''
  const write = (line: string) => {
    logged += line
  }
  const leaky = new ClickHouseServer({
    settings: {
      url,
      user: 'default',
      password: 'the password',
      location: 'https://bucket.example.com',
      storeKeys: { id: 'key', secret: 'the secret' },
      bytesMin: 0,
    },
    timeoutMs: 10_000,
    log: pino({}, { write }),
  })
  const parameters = [{ name: 'p1', text: 'the secret' }]
  const failure = await leaky.row({ text: 'SELECT 1', parameters }, Type.Tuple([]), undefined).catch(String)
  return { failure, logged }
}
