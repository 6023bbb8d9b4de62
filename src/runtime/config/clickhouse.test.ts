import { expect, test } from 'bun:test'
import { clickHouseSettings } from './clickhouse.ts'
import { ConfigError } from './config-error.ts'
import type { SettingName } from './setting-names.ts'

const settingsOf = (variables: Partial<Record<SettingName, string>>, lake?: string) =>
  clickHouseSettings((name) => variables[name], '/srv/data', lake)
const url = 'http://clickhouse:8123'

test('without an address, no server is configured', () => {
  expect(settingsOf({ CLICKHOUSE_USER: 'reader' })).toBeUndefined()
})

test('the data folder is where this server finds it, unless said otherwise', () => {
  expect(settingsOf({ CLICKHOUSE_URL: url })).toEqual({
    url,
    user: 'default',
    password: undefined,
    location: '/srv/data',
    storeKeys: undefined,
    bytesMin: 4096 * 1024 * 1024,
  })
  expect(settingsOf({ CLICKHOUSE_URL: url, CLICKHOUSE_LOCATION: 'traces//' })?.location).toBe('traces')
})

test.each([
  ['an invalid address', { CLICKHOUSE_URL: 'clickhouse:8123' }],
  ['an address with a user', { CLICKHOUSE_URL: 'http://reader:secret@clickhouse:8123' }],
  ['an address with a password', { CLICKHOUSE_URL: 'http://:secret@clickhouse:8123' }],
  ['an address with a password as a parameter', { CLICKHOUSE_URL: `${url}/?password=secret` }],
  ['an empty location', { CLICKHOUSE_URL: url, CLICKHOUSE_LOCATION: ' ' }],
  ['a location that is a pattern', { CLICKHOUSE_URL: url, CLICKHOUSE_LOCATION: '/srv/{a,b}' }],
  ['a lake without its address', { CLICKHOUSE_URL: url, LAKE: 's3://bucket/traces' }],
  ['a path for a lake', { CLICKHOUSE_URL: url, LAKE: 's3://bucket/traces', CLICKHOUSE_LOCATION: '/srv/data' }],
  ['an address for a folder', { CLICKHOUSE_URL: url, CLICKHOUSE_LOCATION: 'https://bucket.example.com' }],
  ['keys in an address', { CLICKHOUSE_URL: url, LAKE: 's3://b/t', CLICKHOUSE_LOCATION: 'https://a:b@example.com' }],
  ['a key without its secret', { CLICKHOUSE_URL: url, CLICKHOUSE_S3_KEY: 'key' }],
])('%s is refused', (_what, variables) => {
  expect(() => settingsOf(variables)).toThrow(ConfigError)
})

test('a lake is where its address says', () => {
  const variables = {
    CLICKHOUSE_URL: url,
    CLICKHOUSE_LOCATION: 'http://store:9000/bucket/traces/',
    CLICKHOUSE_S3_KEY: 'key',
    CLICKHOUSE_S3_SECRET: 'secret',
  }
  const { location, storeKeys } = settingsOf(variables, 's3://bucket/traces')!
  expect({ location, storeKeys }).toEqual({
    location: 'http://store:9000/bucket/traces',
    storeKeys: { id: 'key', secret: 'secret' },
  })
})

test('a lake in a folder is that folder', () => {
  expect(settingsOf({ CLICKHOUSE_URL: url }, '/srv/lake')?.location).toBe('/srv/lake')
})
