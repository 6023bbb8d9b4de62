import { expect, test } from 'bun:test'
import { serveCommand } from '../cli/serve.ts'
import { ConfigError } from './config/config-error.ts'
import type { ConfigOverrides } from './config/configuration.ts'
import { settings, unknownSettings } from './config/setting-names.ts'
import { loadConfig } from './config.ts'
import { absolutePath, dirName, joinPath } from './platform/files/paths.ts'

const configOf = (options: ConfigOverrides, variables: Record<string, string> = {}) =>
  loadConfig(options, (name) => variables[name])

test('an option overrides its environment variable, which overrides the default', () => {
  expect(configOf({}).port).toBe(8470)
  expect(configOf({}, { TRACELAKE_PORT: '8471' }).port).toBe(8471)
  expect(configOf({ port: '0' }, { TRACELAKE_PORT: '8471' }).port).toBe(0)
})

test.each(['', ' ', '1e3', '0x50', '80 ', '-1', '8470.5', '65536', 'http'])('rejects the port %j', (port) => {
  expect(() => configOf({ port })).toThrow(ConfigError)
  expect(() => configOf({ port })).toThrow('--port must be an integer from 0 to 65535')
})

test.each(['data', 'host'])('rejects an empty --%s, as from an unset shell variable', (option) => {
  expect(() => configOf({ [option]: '' })).toThrow(`--${option} must not be empty`)
  expect(() => configOf({ [option]: ' ' })).toThrow(ConfigError)
})

test.each(['.', './', 'data', 'data/', 'data/.', '..', '/srv/data//'])(
  'the secrets key file is a sibling of the data folder %j',
  (data) => {
    const folder = absolutePath(data)
    const { secretsKeyFile } = configOf({ data })
    expect(secretsKeyFile).toBe(`${folder}.secrets-key`)
    expect(dirName(secretsKeyFile)).toBe(joinPath(folder, '..'))
  },
)

test('a trailing line break is stripped from the admin key', () => {
  expect(configOf({}, { TRACELAKE_ADMIN_KEY: 'secret-key\n' }).adminKey).toBe('secret-key')
})

test.each([
  ['tracelake', '/tracelake'],
  ['/tools/tracelake/', '/tools/tracelake'],
  ['/', ''],
  ['', ''],
])('the base path %j is %j', (basePath, normal) => {
  expect(configOf({ basePath }).basePath).toBe(normal)
  expect(configOf({}, { TRACELAKE_BASE_PATH: basePath }).basePath).toBe(normal)
})

test.each(['/a b', '/a"b', '/a/../b', '//evil.example', '/a?b', '/ä', '/a//b', '<a>'])(
  'rejects the base path %j',
  (basePath) => {
    expect(() => configOf({ basePath })).toThrow(ConfigError)
    expect(() => configOf({ basePath })).toThrow('--base-path must be a path such as /tracelake')
  },
)

test('the public URL brings its base path along', () => {
  const urlOf = (url: string, basePath?: string) => {
    const config = configOf({ basePath }, { TRACELAKE_PUBLIC_URL: url })
    return [config.publicUrl, config.basePath]
  }
  expect(urlOf('https://example.com/lake/')).toEqual(['https://example.com/lake', '/lake'])
  expect(urlOf('https://example.com')).toEqual(['https://example.com', ''])
  expect(urlOf('https://example.com', '/lake')).toEqual(['https://example.com/lake', '/lake'])
  expect(() => urlOf('https://example.com/lake', '/other')).toThrow('give one of them')
  expect(() => urlOf('https://example.com/?a=b')).toThrow('TRACELAKE_PUBLIC_URL must be')
  expect(() => urlOf('example.com')).toThrow('TRACELAKE_PUBLIC_URL must be')
})

test('misspelt environment variables are recognized', () => {
  const variables = [
    'TRACELAKE_REDACTS',
    'TRACELAKE_REDACT',
    'TRACELAKE_HOUSE_BASE_URL',
    'TRACELAKE_KEY',
    'PATH',
    'TRACELAKE_',
  ]
  expect(unknownSettings(variables)).toEqual(['TRACELAKE_', 'TRACELAKE_REDACTS'])
})

test('every setting is documented in "serve --help" and in the README', async () => {
  const readme = await Bun.file(joinPath(import.meta.dir, '../../README.md')).text()
  let help = ''
  serveCommand()
    .configureOutput({ writeOut: (text) => (help += text) })
    .outputHelp()
  for (const name of settings) {
    expect(readme).toContain(`\`TRACELAKE_${name}\``)
    expect(help).toMatch(new RegExp(`TRACELAKE_${name}\\b`))
  }
})

test('every environment variable that is read is a known one', () => {
  const asked: string[] = []
  loadConfig({}, (name) => {
    asked.push(name)
    return undefined
  })
  expect(asked.length).toBeGreaterThan(15)
  expect(unknownSettings(asked)).toEqual([])
})
