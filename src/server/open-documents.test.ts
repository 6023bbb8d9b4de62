import { afterEach, beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { makeTempFolder, removeFolder } from '../../test/conformance/support/temp-folder.ts'
import { memoryStoreOf, SimulatedObjects } from '../../test/lake/simulated-store.ts'
import { SecretStore } from '../domains/access/index.ts'
import { loadConfig } from '../runtime/config.ts'
import { systemClock } from '../runtime/platform/clock.ts'
import { openDocuments } from './open-documents.ts'

let folder: string
beforeEach(async () => {
  folder = await makeTempFolder()
})
afterEach(() => removeFolder(folder))

async function namesAfterASecret(keyFile: string | undefined, objects: SimulatedObjects | undefined) {
  const config = loadConfig({ data: join(folder, 'data') }, (name) =>
    name === 'TRACELAKE_SECRETS_KEY_FILE' ? keyFile : undefined,
  )
  const lake = objects && { store: memoryStoreOf(objects), node: 'a' }
  const { documents, sealingKey: key } = await openDocuments(config, lake)
  const secret = await new SecretStore({ documents, key, clock: systemClock }).set({
    name: 'KEY',
    scope: '*',
    value: 'secret',
    hosts: [],
  })
  const again = await openDocuments(config, lake)
  expect(await new SecretStore({ ...again, key: again.sealingKey, clock: systemClock }).open(secret)).toBe('secret')
  return [...(objects?.objects.keys() ?? [])].toSorted()
}

const isThere = (name: string) => Bun.file(join(folder, name)).exists()

test('the key of the secrets of a folder is next to it', async () => {
  await namesAfterASecret(undefined, undefined)
  expect([await isThere('data/secrets.json'), await isThere('data.secrets-key')]).toEqual([true, true])
})

test('the key of the secrets of a lake is beside them', async () => {
  expect(await namesAfterASecret(undefined, new SimulatedObjects())).toEqual(['secrets-key.json', 'secrets.json'])
  expect(await isThere('data.secrets-key')).toBe(false)
})

test('the key of the secrets of a lake is only in the file that a setting names', async () => {
  const key = join(folder, 'key')
  await Bun.write(key, `${'ab'.repeat(32)}\n`)
  expect(await namesAfterASecret(key, new SimulatedObjects())).toEqual(['secrets.json'])
})

test('a node of a lake does not make a key that the other nodes lack', async () => {
  const stored = namesAfterASecret(join(folder, 'key'), new SimulatedObjects())
  await expect(stored).rejects.toThrow('copy that of the other servers of the lake')
  expect(await isThere('key')).toBe(false)
})
