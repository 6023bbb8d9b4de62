import { expect, test } from 'bun:test'
import { memoryStoreOf, SimulatedObjects } from '../../../../test/lake/simulated-store.ts'
import type { ObjectStore } from '../../../runtime/objects/object-store.ts'
import { systemPace } from '../../../runtime/objects/retrying-store.ts'
import { BorderMoved } from '../fenced-log.ts'
import { openLog } from '../open-log.ts'
import { readLogBeside } from './read-log.ts'

const open = (store: ObjectStore, border = 0) =>
  openLog({
    store,
    folder: 'log/notes',
    node: 'test',
    readBorder: async () => border,
    pace: systemPace,
    newNonce: () => crypto.randomUUID(),
  })

async function found(store: ObjectStore, border: number): Promise<string[]> {
  const texts: string[] = []
  for await (const { entries } of readLogBeside(store, 'log/notes', border, unmoved))
    for (const bytes of entries) texts.push(new TextDecoder().decode(bytes))
  return texts
}

const unmoved = async (): Promise<boolean> => false

const append = async (store: Awaited<ReturnType<typeof open>>, text: string): Promise<number> =>
  await store.append(new TextEncoder().encode(text))

test('what was accepted is read in order, over fences, while the writer goes on', async () => {
  const store = memoryStoreOf(new SimulatedObjects())
  expect(await found(store, 0)).toEqual([])
  const first = await open(store)
  await append(first, 'one')
  const second = await open(store)
  const border = await append(second, 'two')
  await append(second, 'three')
  expect(await found(store, 0)).toEqual(['one', 'two', 'three'])
  expect(await found(store, border)).toEqual(['three'])
  await append(second, 'four')
  expect(await found(store, border)).toEqual(['three', 'four'])
})

test('rows that are stored meanwhile are not left out: the border has to be read again', async () => {
  const store = memoryStoreOf(new SimulatedObjects())
  const log = await open(store)
  await append(log, 'one')
  const border = await append(log, 'two')
  await append(log, 'three')
  await log.truncate(border)
  await expect(found(store, 0)).rejects.toThrow(BorderMoved)
  expect(await found(store, border)).toEqual(['three'])

  // Removed between the listing and the read.
  const reading = readLogBeside(
    {
      ...bound(store),
      get: async (...request) => {
        await log.truncate(border + 1)
        return await store.get(...request)
      },
    },
    'log/notes',
    border,
    unmoved,
  )
  await expect(reading.next()).rejects.toThrow(BorderMoved)
})

const bound = (store: ObjectStore): ObjectStore => ({
  place: store.place,
  get: (...request) => store.get(...request),
  head: (...request) => store.head(...request),
  put: (...request) => store.put(...request),
  putLarge: (...request) => store.putLarge(...request),
  delete: (...request) => store.delete(...request),
  list: (...request) => store.list(...request),
})
