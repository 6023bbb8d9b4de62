import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { makeTempFolder, removeFolder } from '../../../test/conformance/support/temp-folder.ts'
import { S3Server } from '../../../test/lake/s3-server.ts'
import { SimulatedObjects, SimulatedStore, type StoreOperation } from '../../../test/lake/simulated-store.ts'
import { MiB } from '../../lib/bytes.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import { type ObjectStore, ObjectStoreError } from '../../runtime/objects/object-store.ts'
import { s3Place } from '../../runtime/objects/s3-place.ts'
import { S3Store } from '../../runtime/objects/s3-store.ts'
import { FileCache } from '../lake/cache/file-cache.ts'
import type { BlobPlace, StoredBlob } from './blob-place.ts'
import { BlobStore, type ReceivedBlob } from './blob-store.ts'
import { FolderBlobs } from './folder-blobs.ts'
import { ObjectBlobs } from './object-blobs.ts'

let root: string
let folders = 0
let nowMs: number
let objects: SimulatedObjects
let caches: FileCache[]
beforeEach(async () => {
  root = await makeTempFolder()
  nowMs = Date.now()
  objects = new SimulatedObjects()
  caches = []
})
afterEach(async () => {
  for (const cache of caches) await cache.close()
  await removeFolder(root)
})

const clock = { nowMs: () => nowMs }

/** A node with an empty cache. */
async function nodeOf(store: ObjectStore): Promise<BlobStore & { readonly folder: string }> {
  const folder = join(root, String(++folders))
  const cache = await FileCache.open({ store, folder, bytesMax: 100 * MiB, owns: ['blobs'] })
  caches.push(cache)
  return Object.assign(storeOf(folder, new ObjectBlobs({ store, cache, clock })), { folder })
}

function storeOf(folder: string, place: BlobPlace): BlobStore {
  mkdirSync(join(folder, 'tmp'), { recursive: true })
  let files = 0
  return new BlobStore({ place, temporaryFile: () => join(folder, 'tmp', String(++files)), refuseIfShort: () => {} })
}

const simple = () => new SimulatedStore(async (operation) => objects.run(operation))

async function* piecesOf(...pieces: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield typeof piece === 'string' ? new TextEncoder().encode(piece) : piece
}

async function add(blobs: BlobStore, ...pieces: (string | Uint8Array)[]): Promise<ReceivedBlob> {
  const received = await blobs.receive(piecesOf(...pieces))
  await blobs.commit(received)
  return received
}

async function bytesOf(blob: StoredBlob | undefined, from = 0, to = blob?.bytes ?? 0): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  for await (const piece of blob?.read(from, to) ?? []) pieces.push(piece)
  return Buffer.concat(pieces)
}

const textOf = async (blob: StoredBlob | undefined) => new TextDecoder().decode(await bytesOf(blob))
const never = new AbortController().signal
const nothing = async () => new Set<string>()
const blobNames = () => [...objects.objects.keys()].filter((name) => name.startsWith('blobs/'))

describe.each([
  ['files', async () => storeOf(root, await FolderBlobs.open(join(root, 'blobs')))],
  ['objects', () => nodeOf(simple())],
])('blobs as %s', (_, open) => {
  test('are found by their digest, and read in parts', async () => {
    const blobs = await open()
    const { digest, bytes } = await add(blobs, 'hello ', 'world')
    const found = await blobs.find(digest)
    expect([bytes, found?.bytes, await textOf(found)]).toEqual([11, 11, 'hello world'])
    expect(new TextDecoder().decode(await bytesOf(found, 6, 9))).toBe('wor')
    expect(await (await found?.body(4, 7))?.text()).toBe('o w')
    expect(await blobs.find('x'.repeat(43))).toBeUndefined()
    expect(await blobs.find('../../etc')).toBeUndefined()
  })

  test('may be empty', async () => {
    const blobs = await open()
    const { digest } = await add(blobs)
    expect([await textOf(await blobs.find(digest)), (await blobs.find(digest))?.bytes]).toEqual(['', 0])
  })

  test('are committed once, or not at all', async () => {
    const blobs = await open()
    const dropped = await blobs.receive(piecesOf('dropped'))
    await blobs.discard(dropped)
    expect(await blobs.find(dropped.digest)).toBeUndefined()
    const first = await add(blobs, 'same')
    const second = await add(blobs, 'same')
    expect(second.digest).toBe(first.digest)
    expect(await textOf(await blobs.find(first.digest))).toBe('same')
  })

  test('go when nothing names them and they are old enough', async () => {
    const blobs = await open()
    const [kept, gone] = [await add(blobs, 'kept'), await add(blobs, 'gone')]
    const named = async () => new Set([kept.digest])
    expect(await blobs.sweep(nowMs - 60_000, named, never)).toBe(0)
    nowMs += storageLimits.blobGraceMs + 60_000
    expect(await blobs.sweep(nowMs, named, never)).toBe(1)
    expect(await textOf(await blobs.find(kept.digest))).toBe('kept')
    expect(await blobs.find(gone.digest)).toBeUndefined()
  })
})

/** A store whose requests of one kind are counted. */
function counting(kind: StoreOperation['kind']) {
  const counted = { requests: 0, bytes: 0 }
  const store = new SimulatedStore(async (operation) => {
    const answer = objects.run(operation)
    if (operation.kind === kind) {
      counted.requests++
      if (operation.kind === 'get') counted.bytes += operation.range?.length ?? 0
    }
    return answer
  })
  return { counted, store }
}

test('what has just been uploaded is read from the cache', async () => {
  const { counted, store } = counting('get')
  const blobs = await nodeOf(store)
  const { digest } = await add(blobs, 'hello')
  const before = counted.requests
  expect(await textOf(await blobs.find(digest))).toBe('hello')
  expect(counted.requests).toBe(before)
})

test('another node fetches a small blob once, and of a large one what it needs', async () => {
  const first = await nodeOf(simple())
  const bytes = crypto.getRandomValues(new Uint8Array(64 * 1024))
  const large = Buffer.concat(Array.from({ length: 160 }, () => bytes))
  const [small, big] = [await add(first, 'small'), await add(first, large)]
  const { counted, store } = counting('get')
  const second = await nodeOf(store)
  for (let count = 0; count < 3; count++) expect(await textOf(await second.find(small.digest))).toBe('small')
  expect(counted.requests).toBe(1)
  counted.bytes = 0
  const found = await second.find(big.digest)
  const part = await bytesOf(found, 9_000_000, 9_000_100)
  expect(part).toEqual(new Uint8Array(large.subarray(9_000_000, 9_000_100)))
  expect(counted.bytes).toBeLessThan(MiB)
  expect(Buffer.compare(await bytesOf(found), large)).toBe(0)
  expect(await found?.body(0, large.length)).toBeUndefined()
})

test('an upload whose answer is lost fails, and what has arrived of it goes later', async () => {
  let isCut = true
  const store = new SimulatedStore(async (operation) => {
    const answer = objects.run(operation)
    if (isCut && operation.kind === 'put') throw new ObjectStoreError('unreachable', 'Cannot write: cut')
    return answer
  })
  const blobs = await nodeOf(store)
  const received = await blobs.receive(piecesOf('hello'))
  await expect(blobs.commit(received)).rejects.toMatchObject({ type: 'StoreUnavailable' })
  isCut = false
  await blobs.commit(received)
  expect(blobNames()).toHaveLength(2)
  nowMs += 2 * storageLimits.blobGraceMs
  await blobs.sweep(nowMs, async () => new Set([received.digest]), never)
  expect(blobNames()).toHaveLength(1)
  expect(await textOf(await blobs.find(received.digest))).toBe('hello')
})

test('an upload that arrives damaged is refused', async () => {
  const store = new SimulatedStore(async (operation) =>
    objects.run(operation.kind === 'put' ? { ...operation, bytes: new TextEncoder().encode('jello') } : operation),
  )
  const blobs = await nodeOf(store)
  await expect(add(blobs, 'hello')).rejects.toMatchObject({ type: 'StoreUnavailable' })
})

test('blobs of a node that was killed before a row named them go after a while', async () => {
  const killed = await nodeOf(simple())
  await add(killed, 'never named')
  const next = await nodeOf(simple())
  // Another node may have put it just now, with a clock that is behind.
  expect(await next.sweep(nowMs + 1, nothing, never)).toBe(0)
  nowMs += storageLimits.blobGraceMs + 1
  expect(await next.sweep(nowMs, nothing, never)).toBe(1)
  expect(blobNames()).toEqual([])
})

test('a node that was replaced removes nothing that the one after it has put', async () => {
  const first = await nodeOf(simple())
  const { digest } = await add(first, 'hello')
  nowMs += 2 * storageLimits.blobGraceMs
  const second = await nodeOf(simple())
  // The first node finds out that nothing names the blob, is paused, and goes on.
  const removed = await first.sweep(
    nowMs,
    async () => {
      await add(second, 'hello')
      return new Set()
    },
    never,
  )
  expect(removed).toBe(0)
  expect(await textOf(await second.find(digest))).toBe('hello')
  expect(await textOf(await (await nodeOf(simple())).find(digest))).toBe('hello')
})

test('a blob that was put again is found again when the earlier object is gone', async () => {
  const [first, second] = [await nodeOf(simple()), await nodeOf(simple())]
  const { digest } = await add(first, 'hello')
  expect((await second.find(digest))?.bytes).toBe(5)
  const [earlier = ''] = blobNames()
  nowMs += 1
  await add(first, 'hello')
  objects.objects.delete(earlier)
  expect(await textOf(await second.find(digest))).toBe('hello')
})

test('what is removed leaves the cache, too', async () => {
  const blobs = await nodeOf(simple())
  await add(blobs, 'secret')
  const cached = async () => {
    const names = await readdir(join(blobs.folder, 'blobs'), { recursive: true })
    return names.filter((name) => name.includes('.'))
  }
  expect(await cached()).toHaveLength(1)
  nowMs += 2 * storageLimits.blobGraceMs
  await blobs.sweep(nowMs, nothing, never)
  expect(await cached()).toEqual([])
})

test('a blob of a copied folder has the name of the file', async () => {
  const { digest } = await add(await nodeOf(simple()), 'hello')
  const [name = ''] = blobNames()
  const plain = name.replace(/\.\d+-\w+$/, '')
  objects.run({ kind: 'put', name: plain, bytes: new TextEncoder().encode('hello'), when: undefined })
  objects.objects.delete(name)
  expect(await textOf(await (await nodeOf(simple())).find(digest))).toBe('hello')
})

test('uploads arrive whole at a store that speaks S3, in one piece or in parts', async () => {
  const server = await new S3Server().start()
  try {
    const place = s3Place('s3://lake/p', { endpoint: server.endpoint, region: 'eu-west-1', addressing: undefined })
    const credentials = async () => ({ accessKeyId: 'key', secretAccessKey: 'secret' })
    const store = new S3Store({ place, credentials })
    const first = await nodeOf(store)
    const large = Buffer.alloc(9 * MiB, 'x')
    const [small, big] = [await add(first, 'small'), await add(first, large)]
    expect(server.requests.filter((request) => request.includes('partNumber'))).toHaveLength(2)
    const second = await nodeOf(store)
    expect(await textOf(await second.find(small.digest))).toBe('small')
    expect(Buffer.compare(await bytesOf(await second.find(big.digest)), large)).toBe(0)
  } finally {
    await server.stop()
  }
})
