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
  ['a lake', { CLICKHOUSE_URL: url, LAKE: 's3://bucket/traces' }],
])('%s is refused', (_what, variables) => {
  expect(() => settingsOf(variables)).toThrow(ConfigError)
})

test('a lake that an option names is refused as well', () => {
  expect(() => settingsOf({ CLICKHOUSE_URL: url }, 's3://bucket/traces')).toThrow('not for a lake')
})
