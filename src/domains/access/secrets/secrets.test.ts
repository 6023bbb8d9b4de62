import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { FolderDocuments } from '../../../runtime/documents/folder-documents.ts'
import { systemClock } from '../../../runtime/platform/clock.ts'
import type { ProjectReader } from '../caller.ts'
import { SealingKeyFile } from './sealing-key.ts'
import { SecretStore } from './secret-store.ts'
import { Secrets } from './secrets.ts'

let folder: string
let store: SecretStore
let secrets: Secrets
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'secrets-'))
  const documents = new FolderDocuments(path.join(folder, 'data'))
  store = new SecretStore({ documents, key: new SealingKeyFile(path.join(folder, 'key')), clock: systemClock })
  const variable = (name: string) => (name === 'OPENAI_API_KEY' ? 'from the environment' : undefined)
  secrets = new Secrets({ store, variable, log: pino({ level: 'silent' }) })
})
afterEach(() => rm(folder, { recursive: true }))

const project = (projectId: string) => ({ projectId }) as ProjectReader
const set = (name: string, value: string, scope = '*', hosts: string[] = []) => store.set({ name, value, scope, hosts })

test('the most specific scope wins', async () => {
  await set('KEY', 'everybody')
  await set('KEY', 'entity', 'acme')
  await set('KEY', 'project', 'acme/bot')
  const found = async (id: string) => (await secrets.find(project(id), 'KEY'))?.value
  expect(await Promise.all(['acme/bot', 'acme/other', 'acmes/bot'].map(found))).toEqual([
    'project',
    'entity',
    'everybody',
  ])
})

test('changes take effect', async () => {
  expect(await secrets.find(project('a/b'), 'KEY')).toBeUndefined()
  await set('KEY', 'one', '*', ['h.example'])
  expect(await secrets.find(project('a/b'), 'KEY')).toEqual({ value: 'one', hosts: ['h.example'] })
  await set('KEY', 'two')
  expect(await secrets.find(project('a/b'), 'KEY')).toEqual({ value: 'two', hosts: [] })
  await store.remove({ name: 'KEY', scope: '*' })
  expect(await secrets.find(project('a/b'), 'KEY')).toBeUndefined()
})

test('environment variables apply to built-in providers only, after stored secrets', async () => {
  expect(await secrets.find(project('a/b'), 'OPENAI_API_KEY')).toBeUndefined()
  expect(await secrets.findForProvider(project('a/b'), 'OPENAI_API_KEY')).toBe('from the environment')
  await set('OPENAI_API_KEY', 'set')
  expect(await secrets.findForProvider(project('a/b'), 'OPENAI_API_KEY')).toBe('set')
})

test('a sealed value cannot be moved to another scope or altered', async () => {
  await set('KEY', 'value', 'acme')
  const file = path.join(folder, 'data', 'secrets.json')
  await writeFile(file, (await readFile(file, 'utf8')).replace('"acme"', '"*"'))
  expect(await secrets.find(project('evil/one'), 'KEY')).toBeUndefined()
})

test('secrets set concurrently are all kept', async () => {
  await Promise.all(Array.from({ length: 8 }, (_, at) => set(`KEY_${at}`, String(at))))
  expect(await store.list()).toHaveLength(8)
  expect((await secrets.find(project('a/b'), 'KEY_5'))?.value).toBe('5')
})
