import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import process from 'node:process'
import { makeTempFolder, removeFolder } from '../../../test/conformance/support/temp-folder.ts'
import { memoryStoreOf, SimulatedObjects, SimulatedStore } from '../../../test/lake/simulated-store.ts'
import { logLimits } from '../../lib/limits/objects.ts'
import { FolderStore } from '../../runtime/objects/folder-store.ts'
import { type ObjectStore, ObjectStoreError } from '../../runtime/objects/object-store.ts'
import { RetryingStore, systemPace } from '../../runtime/objects/retrying-store.ts'
import { s3Place } from '../../runtime/objects/s3-place.ts'
import { S3Store } from '../../runtime/objects/s3-store.ts'
import { Fenced } from './fenced-log.ts'
import { encodeLogObject, logName } from './log-object.ts'
import type { ObjectLog } from './object-log.ts'
import { openLog } from './open-log.ts'

setDefaultTimeout(120_000)

const root = await makeTempFolder()
afterAll(() => removeFolder(root))

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const run = crypto.randomUUID().slice(0, 8)

const open = (
  store: ObjectStore,
  {
    onFailure = () => {},
    ...options
  }: { border?: () => number; pace?: typeof systemPace; onFailure?: (cause: unknown) => void } = {},
) =>
  openLog({
    store,
    onFailure,
    folder: 'log',
    node: 'test',
    readBorder: async () => options.border?.() ?? 0,
    pace: options.pace ?? systemPace,
    newNonce: () => crypto.randomUUID(),
  })

async function replayed(log: ObjectLog): Promise<string[]> {
  const found: string[] = []
  for await (const { number, bytes } of log.replay()) found.push(`${number} ${new TextDecoder().decode(bytes)}`)
  return found
}

async function namesOf(store: ObjectStore): Promise<number[]> {
  const found: number[] = []
  for await (const { name } of store.list('log/')) found.push(Number(name.slice(4)))
  return found
}

const others = (process.env['TRACELAKE_TEST_S3'] ?? '').split(' ').filter(Boolean)
const s3At = (endpoint: string, prefix: string): ObjectStore => {
  const place = s3Place(`s3://lake/${prefix}`, { endpoint, region: undefined, addressing: undefined })
  const credentials = async () => ({ accessKeyId: 'key', secretAccessKey: 'secret' })
  return new RetryingStore(new S3Store({ place, credentials }))
}
const stores: [string, (name: string) => ObjectStore][] = [
  ['memory', () => memoryStoreOf(new SimulatedObjects())],
  ['a folder', (name) => new FolderStore(`${root}/${name}`)],
  ...others.map((entry): [string, (name: string) => ObjectStore] => {
    const [other = '', endpoint = ''] = entry.split('=')
    return [other, (name) => s3At(endpoint, `${run}-log/${name}`)]
  }),
]

describe.each(stores)('a log in %s', (_, storeOf) => {
  test('is replayed by the next writer, which ends the one before for good', async () => {
    const store = storeOf('next')
    const first = await open(store)
    expect([first.epoch, await replayed(first)]).toEqual([1, []])
    expect(await first.append(bytesOf('a'))).toBe(2)
    expect(await first.append(bytesOf(''))).toBe(3)
    const second = await open(store)
    expect([second.epoch, await replayed(second)]).toEqual([2, ['2 a', '3 ']])
    await expect(first.append(bytesOf('late'))).rejects.toBeInstanceOf(Fenced)
    expect((await first.fenced).message).toBe('The writer of epoch 1 was replaced by epoch 2; it must stop')
    await expect(first.append(bytesOf('later'))).rejects.toBeInstanceOf(Fenced)
    await expect(first.truncate(3)).rejects.toBeInstanceOf(Fenced)
    expect(await second.append(bytesOf('b'))).toBe(5)
    expect(await replayed(await open(store))).toEqual(['2 a', '3 ', '5 b'])
  })

  test('writes together what is appended at the same time, in order', async () => {
    const store = storeOf('together')
    const log = await open(store)
    const numbers = await Promise.all(Array.from({ length: 100 }, (_, index) => log.append(bytesOf(String(index)))))
    expect(new Set(numbers)).toEqual(new Set([2]))
    await log.close()
    expect(await replayed(await open(store))).toEqual(Array.from({ length: 100 }, (_, index) => `2 ${index}`))
  })

  test('keeps its fences, and what is above the border', async () => {
    const store = storeOf('truncate')
    let border = 0
    const options = { border: () => border }
    const first = await open(store, options)
    for (const text of ['a', 'b', 'c']) await first.append(bytesOf(text))
    border = 3
    await first.truncate(3)
    expect(await namesOf(store)).toEqual([1, 4])
    const second = await open(store, options)
    expect(await replayed(second)).toEqual(['4 c'])
    await second.append(bytesOf('d'))
    border = 6
    await second.truncate(6)
    expect(await namesOf(store)).toEqual([1, 5])
    expect(await (await open(store, options)).append(bytesOf('e'))).toBe(8)
  })

  test('has one writer, however many open it at the same time', async () => {
    const store = storeOf('race')
    await (await open(store)).append(bytesOf('a'))
    const opened = await Promise.allSettled(Array.from({ length: 6 }, () => open(store)))
    const appended = await Promise.allSettled(
      opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value.append(bytesOf('b'))] : [])),
    )
    expect(appended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const each of [...opened, ...appended])
      if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(Fenced)
    expect((await replayed(await open(store))).map((line) => line.split(' ')[1])).toEqual(['a', 'b'])
  })

  test('removes what an earlier writer had stored, but could not remove', async () => {
    const store = storeOf('leftovers')
    const first = await open(store)
    await first.append(bytesOf('a'))
    await first.append(bytesOf('long '.repeat(200)))
    const second = await open(store, { border: () => 3 })
    expect(await replayed(second)).toEqual([])
    await second.append(bytesOf('b'))
    await second.truncate(5)
    expect(await namesOf(store)).toEqual([1, 4])
  })
})

test('a log that is too long waits for a flush; what waits has a bound', async () => {
  const log = await open(memoryStoreOf(new SimulatedObjects()), { pace: { ...systemPace, wait: async () => true } })
  for (let rows = 1; rows <= logLimits.unflushedMax; rows++) await log.append(bytesOf('a'))
  const waiting = log.append(new Uint8Array(logLimits.queueBytesMax))
  await Bun.sleep(50)
  expect(Bun.peek.status(waiting)).toBe('pending')
  await expect(log.append(bytesOf('b'))).rejects.toMatchObject({ type: 'Overloaded' })
  await log.truncate(10)
  expect(await waiting).toBe(logLimits.unflushedMax + 2)
  await log.close()
  await expect(log.append(bytesOf('c'))).rejects.toMatchObject({ type: 'StoreUnavailable' })
})

test('appends wait while the store is away, and say why', async () => {
  const objects = new SimulatedObjects()
  let isAway = false
  const store = new SimulatedStore(async (operation) => {
    if (isAway) throw new ObjectStoreError('unreachable', 'Cannot write: no answer')
    return objects.run(operation)
  })
  const failures: unknown[] = []
  const log = await open(store, { onFailure: (cause) => failures.push(cause) })
  isAway = true
  const appended = log.append(bytesOf('a'))
  while (log.failure === undefined) await Bun.sleep(1)
  expect(log.failure).toBe('Cannot write: no answer')
  isAway = false
  expect(await appended).toBe(2)
  expect(log.failure).toBeUndefined()
  expect(failures.map(String)).toEqual(['ObjectStoreError: Cannot write: no answer'])
})

test('an object that is missing or damaged is reported', async () => {
  const objects = new SimulatedObjects()
  const store = memoryStoreOf(objects)
  const first = await open(store)
  for (const text of ['a', 'b', 'c']) await first.append(bytesOf(text))
  const [name, whole] = [logName('log', 3), await store.get(logName('log', 3))]
  await store.delete(name)
  await expect(replayed(await open(store))).rejects.toThrow(
    'log/00000000000000000003 is missing, and its rows are in no table',
  )
  const changed = whole.bytes.slice()
  changed[changed.length - 1] = 0
  await store.put(name, changed)
  await expect(replayed(await open(store))).rejects.toThrow('its checksum does not match')
  await store.put(name, encodeLogObject({ kind: 'rows', epoch: 1, number: 4, nonce: 'n', entries: [] }))
  await expect(replayed(await open(store))).rejects.toThrow('it is not an object of the log')
  await store.put(name, whole.bytes)
  expect(await replayed(await open(store))).toEqual(['2 a', '3 b', '4 c'])
})

test('rows that are stored during a replay end it', async () => {
  const store = memoryStoreOf(new SimulatedObjects())
  let border = 0
  const first = await open(store)
  for (let index = 0; index < 40; index++) await first.append(bytesOf(String(index)))
  const second = await open(store, { border: () => border })
  const rows = second.replay()
  await rows.next()
  for (let number = 2; number <= 41; number++) await store.delete(logName('log', number))
  border = 41
  const rest = async () => {
    for await (const _ of rows);
  }
  await expect(rest()).rejects.toMatchObject({ name: 'BorderMoved' })
  expect(await replayed(await open(store, { border: () => border }))).toEqual([])
})
