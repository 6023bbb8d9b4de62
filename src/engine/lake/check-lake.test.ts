import { expect, test } from 'bun:test'
import { memoryStoreOf, SimulatedObjects, SimulatedStore } from '../../../test/lake/simulated-store.ts'
import type { ObjectStore } from '../../runtime/objects/object-store.ts'
import { DataFolderError } from '../layout.ts'
import { checkLake, recordLakeFormat } from './check-lake.ts'

const put = (store: ObjectStore, name: string, value: unknown) =>
  store.put(name, new TextEncoder().encode(JSON.stringify(value)))

async function namesIn(store: ObjectStore): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of store.list('')) names.push(name)
  return names
}

test('an empty store becomes a lake, which is known again', async () => {
  const store = memoryStoreOf(new SimulatedObjects())
  const first = await checkLake(store)
  expect(await namesIn(store)).toEqual(['lake.json'])
  await recordLakeFormat(store)
  expect(await checkLake(store)).toEqual(first)
  expect(await namesIn(store)).toEqual(['format.json', 'lake.json'])
})

test('nodes that begin a lake at the same time find the same one', async () => {
  const objects = new SimulatedObjects()
  const first = checkLake(memoryStoreOf(objects))
  // The other node looks for a lake before the first has begun it, and sees its objects after.
  let hasLooked = false
  const late = new SimulatedStore(async (operation) => {
    if (hasLooked) await first
    hasLooked ||= operation.kind === 'get' && operation.name === 'lake.json'
    return objects.run(operation)
  })
  expect(await checkLake(late)).toEqual(await first)
})

test('a complete copy of a folder becomes a lake', async () => {
  const store = memoryStoreOf(new SimulatedObjects())
  await put(store, 'copy.json', { tables: {}, is_complete: true, run: 'a' })
  await put(store, 'format.json', { format: 3, written_by: '0.1.0' })
  await checkLake(store)
  await recordLakeFormat(store)
  expect(JSON.parse(new TextDecoder().decode((await store.get('format.json')).bytes))).toMatchObject({ format: 4 })
})

test.each([
  ['other objects', 'photos/cat.jpg', 'x', /it has something else \("photos\/cat.jpg"\)/],
  ['half of a copy', 'copy.json', { tables: {}, is_complete: false, run: 'a' }, /run "tracelake copy" again/],
  ['a later lake', 'lake.json', { format: 2 }, /a later version of tracelake/],
  ['a later format', 'format.json', { format: 99, written_by: '9.0.0' }, /it has something else/],
])('a store with %s is refused, and left as it was', async (_, name, value, words) => {
  const store = memoryStoreOf(new SimulatedObjects())
  await put(store, name, value)
  await expect(checkLake(store)).rejects.toThrow(words)
  expect(await namesIn(store)).toEqual([name])
})

test('a lake that a later version has written is refused', async () => {
  const store = memoryStoreOf(new SimulatedObjects())
  await checkLake(store)
  await put(store, 'format.json', { format: 99, written_by: '9.0.0' })
  await expect(checkLake(store)).rejects.toThrow(/tracelake 9.0.0 wrote it in format 99/)
})

test('a store without conditional writes is refused, and left empty', async () => {
  const objects = new SimulatedObjects()
  const store = new SimulatedStore(async (operation) =>
    objects.run(operation.kind === 'put' ? { ...operation, when: undefined } : operation),
  )
  const refused = checkLake(store)
  await expect(refused).rejects.toBeInstanceOf(DataFolderError)
  await expect(refused).rejects.toThrow(/it lacks one winner of put-if-absent: 8 of 8 writers won/)
  expect(await namesIn(memoryStoreOf(objects))).toEqual([])
})
