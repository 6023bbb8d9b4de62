import { expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { pino } from 'pino'
import { ClickHouseServer } from './clickhouse-server.ts'

const server = new ClickHouseServer({
  settings: { url: 'http://127.0.0.1:1', user: 'default', password: undefined, location: '/srv/data', bytesMin: 0 },
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
