import { afterAll, expect, test } from 'bun:test'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { effectiveSettings } from '../../domains/admin/effective-settings.ts'
import { loadConfig } from '../config.ts'

const folder = await mkdtemp(join(tmpdir(), 'settings-'))
afterAll(() => rm(folder, { recursive: true }))

async function written(name: string, text: string): Promise<string> {
  const file = join(folder, name)
  await writeFile(file, text)
  return file
}

const configOf = (variables: Record<string, string>, config?: string) =>
  loadConfig({ config }, (name) => variables[name])

test('variables override the configuration file, which overrides defaults', async () => {
  const file = await written(
    'tracelake.json',
    '{ // as in the guide\n "port": 8471, "host": "0.0.0.0", "redact": false, "private_hosts": ["a", "b:1"],\n' +
      '  "house_base_url": "http://house", }',
  )
  const config = configOf({ TRACELAKE_PORT: '8472' }, file)
  expect(config).toMatchObject({ port: 8472, host: '0.0.0.0', redact: false, privateHosts: ['a', 'b:1'] })
  expect(config.variable('TRACELAKE_HOUSE_BASE_URL')).toBe('http://house')
  expect(configOf({ TRACELAKE_CONFIG: file }).port).toBe(8471)
  const sources = new Map(effectiveSettings(config).settings.map(({ name, source }) => [name, source]))
  expect(sources.get('TRACELAKE_PORT')).toBe('environment')
  expect(sources.get('TRACELAKE_REDACT')).toBe('file')
  expect(sources.get('TRACELAKE_MEMORY_MB')).toBe('default')
})

test.each([
  ['{', 'not valid JSON'],
  ['[]', 'must be a JSON object'],
  ['{"prot": 1}', 'unknown setting "prot"'],
  ['{"PORT": 1}', 'unknown setting "PORT"'],
  ['{"config": "x"}', 'unknown setting "config"'],
  ['{"port": null}', '"port" must be a string, a number'],
  ['{"port": "x"}', '--port must be an integer'],
])('the configuration file %s is refused', async (text, message) => {
  const file = await written('bad.json', text)
  expect(() => configOf({}, file)).toThrow(message)
})

test('a missing configuration file is refused', () => {
  expect(() => configOf({}, join(folder, 'none.json'))).toThrow('Cannot read the configuration file')
})

test('a variable with a secret can name a file in its place', async () => {
  const file = await written('key', 'secret-key\n')
  expect(configOf({ TRACELAKE_ADMIN_KEY_FILE: file }).adminKey).toBe('secret-key')
  expect(configOf({ OPENAI_API_KEY_FILE: file }).variable('OPENAI_API_KEY')).toBe('secret-key')
  const config = await written('secret.json', JSON.stringify({ admin_key_file: file }))
  expect(configOf({}, config).adminKey).toBe('secret-key')
  expect(() => configOf({ TRACELAKE_ADMIN_KEY_FILE: join(folder, 'none') })).toThrow('TRACELAKE_ADMIN_KEY_FILE')
  expect(() => configOf({ TRACELAKE_ADMIN_KEY: 'a', TRACELAKE_ADMIN_KEY_FILE: file })).toThrow('both set')
  expect(configOf({ TRACELAKE_PORT_FILE: file }).port).toBe(8470)
})
