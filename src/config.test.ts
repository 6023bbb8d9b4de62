import { expect, test } from 'bun:test'
import { serveCommand } from './cli/serve.ts'
import { ConfigError, type ConfigOverrides, loadConfig, settings, unknownSettings } from './config.ts'
import { absolutePath, dirName, joinPath } from './platform/paths.ts'

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
  const readme = await Bun.file(joinPath(import.meta.dir, '../README.md')).text()
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
