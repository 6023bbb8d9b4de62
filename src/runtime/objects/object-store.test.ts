import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import process from 'node:process'
import { makeTempFolder, removeFolder } from '../../../test/conformance/support/temp-folder.ts'
import { objectStoreCases } from '../../../test/lake/object-store-cases.ts'
import { S3Server } from '../../../test/lake/s3-server.ts'
import { memoryStoreOf, SimulatedObjects } from '../../../test/lake/simulated-store.ts'
import { FolderStore } from './folder-store.ts'
import type { ObjectStore } from './object-store.ts'
import { probeStore } from './probe-store.ts'
import { RetryingStore } from './retrying-store.ts'
import { s3Place } from './s3-place.ts'
import { S3Store } from './s3-store.ts'

setDefaultTimeout(120_000)

const folder = await makeTempFolder()
const server = await new S3Server().start()
afterAll(async () => {
  await server.stop()
  await removeFolder(folder)
})

const credentials = async () => ({ accessKeyId: 'key', secretAccessKey: 'secret' })
const s3At = (endpoint: string, prefix: string): ObjectStore =>
  new RetryingStore(
    new S3Store({
      place: s3Place(`s3://lake/${prefix}`, { endpoint, region: undefined, addressing: undefined }),
      credentials,
    }),
  )

/** Stores that `scripts/test lake` has started: `name=endpoint`, separated by spaces. */
const others = (process.env['TRACELAKE_TEST_S3'] ?? '')
  .split(' ')
  .filter(Boolean)
  .map((entry) => entry.split('='))
const run = crypto.randomUUID().slice(0, 8)

const stores: [string, () => ObjectStore][] = [
  ['memory', () => memoryStoreOf(new SimulatedObjects())],
  ['a folder', () => new FolderStore(folder)],
  ['S3 in this process', () => s3At(server.endpoint, 'some/prefix')],
  ...others.map(([name = '', endpoint = '']): [string, () => ObjectStore] => [name, () => s3At(endpoint, run)]),
]

describe.each(stores)('%s', (_, open) => {
  for (const [index, [what, testCase]] of objectStoreCases.entries())
    test(what, () => testCase(open(), `case-${index}`))

  test('has what a lake needs', async () => {
    const found: string[] = []
    for await (const { what, problem } of probeStore(open()))
      if (problem !== undefined) found.push(`${what}: ${problem}`)
    expect(found).toEqual([])
  })
})
