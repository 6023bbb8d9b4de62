import { afterAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { makeTempFolder, removeFolder } from '../../../../test/conformance/support/temp-folder.ts'
import { SimulatedObjects, SimulatedStore, type StoreOperation } from '../../../../test/lake/simulated-store.ts'
import { cacheLimits, objectLimits } from '../../../lib/limits/objects.ts'
import { type ObjectStore, ObjectStoreError, type StoredObject } from '../../../runtime/objects/object-store.ts'
import { RetryingStore } from '../../../runtime/objects/retrying-store.ts'
import { FileCache } from './file-cache.ts'

const root = await makeTempFolder()
afterAll(() => removeFolder(root))
let folders = 0
const newFolder = () => `${root}/${folders++}`

/** Different bytes for each seed. */
const bytesOf = (length: number, seed = 1): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length }, (_, index) => (index * 31 + (index >> 8) * seed + seed) & 255)

/** A store that counts what it is asked for. `answer` may replace what it answers. */
class CountedStore {
  readonly objects = new SimulatedObjects()
  readonly reads: string[] = []
  answer: (operation: StoreOperation, honest: () => unknown) => unknown = (_, honest) => honest()
  readonly store: ObjectStore = new SimulatedStore(async (operation) => {
    const { kind, name } = { name: '', ...operation }
    if (kind === 'get') {
      const range = 'range' in operation ? operation.range : undefined
      this.reads.push(range === undefined ? name : `${name} ${range.start}+${range.length}`)
    }
    return await this.answer(operation, () => this.objects.run(operation))
  })

  put(name: string, bytes: Uint8Array, tag?: string): void {
    this.objects.run({ kind: 'put', name, bytes, when: undefined })
    if (tag !== undefined) this.objects.objects.set(name, { bytes, tag })
  }
}

const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes).digest()
const md5Tag = (bytes: Uint8Array) => `"${md5(bytes).toString('hex')}"`

async function opened(store: ObjectStore, options: { folder?: string; bytesMax?: number; owns?: string[] } = {}) {
  const { folder = newFolder(), bytesMax = 1 << 30, owns = [] } = options
  return { folder, cache: await FileCache.open({ store, folder, bytesMax, owns }) }
}

const filesOf = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('.cache'))
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(folder.length + 1))
    .sort()

describe('a whole file', () => {
  test('is fetched once for concurrent requests, and then found', async () => {
    const from = new CountedStore()
    const content = bytesOf(100_000)
    from.put('tables/calls/a.parquet', content)
    const { cache, folder } = await opened(from.store)
    const paths = await Promise.all(Array.from({ length: 10 }, () => cache.ensure('tables/calls/a.parquet', 100_000)))
    expect(new Set(paths)).toEqual(new Set([`${folder}/tables/calls/a.parquet`]))
    expect(Bun.hash(await readFile(paths[0] ?? ''))).toBe(Bun.hash(content))
    await cache.ensure('tables/calls/a.parquet', 100_000)
    expect(from.reads).toEqual(['tables/calls/a.parquet'])
    expect(cache.counts).toMatchObject({ bytes: 100_000, files: 1, hits: 1, misses: 1, fetchedBytes: 100_000 })
  })

  test('of several parts is fetched in parts', async () => {
    const from = new CountedStore()
    const { partBytes } = objectLimits
    const content = bytesOf(2 * partBytes + 5)
    const parts = [0, 1, 2].map((index) => md5(content.subarray(index * partBytes, (index + 1) * partBytes)))
    from.put('large', content, `${md5Tag(Buffer.concat(parts)).slice(0, -1)}-3"`)
    const { cache } = await opened(from.store)
    expect(Bun.hash(await readFile(await cache.ensure('large', content.length)))).toBe(Bun.hash(content))
    expect(from.reads).toEqual([`large 0+${partBytes}`, `large ${partBytes}+${partBytes}`, `large ${2 * partBytes}+5`])
  })

  test('without bytes is a file too', async () => {
    const from = new CountedStore()
    from.put('empty', new Uint8Array())
    const { cache } = await opened(from.store)
    expect((await stat(await cache.ensure('empty', 0))).size).toBe(0)
  })

  test('is not there after a failure, and is fetched by the next one who asks', async () => {
    const from = new CountedStore()
    from.put('a', bytesOf(10))
    const { cache, folder } = await opened(from.store)
    await expect(cache.ensure('gone', 10)).rejects.toMatchObject({ kind: 'absent' })
    await expect(cache.ensure('a', 11)).rejects.toThrow('Cannot use simulated/a: it has 10 bytes, expected 11')
    from.answer = () => {
      throw new ObjectStoreError('refused', 'No')
    }
    await expect(cache.ensure('a', 10)).rejects.toMatchObject({ kind: 'refused' })
    expect(await filesOf(folder)).toEqual([])
    expect(await readdir(`${folder}/.cache/arriving`)).toEqual([])
    from.answer = (_, honest) => honest()
    await cache.ensure('a', 10)
    expect(await filesOf(folder)).toEqual(['a'])
  })

  test('survives a store that is slow, cuts answers and says 503', async () => {
    const from = new CountedStore()
    const content = bytesOf(3 * objectLimits.partBytes, 7)
    from.put('a', content)
    let count = 0
    from.answer = async (_, honest) => {
      count++
      if (count % 3 === 1) throw new ObjectStoreError('unreachable', 'The answer was cut')
      if (count % 3 === 2) throw new ObjectStoreError('slow', '503')
      return honest()
    }
    const pace = { wait: async () => true, random: () => 0 }
    const { cache } = await opened(new RetryingStore(from.store, pace))
    expect(Bun.hash(await readFile(await cache.ensure('a', content.length)))).toBe(Bun.hash(content))
  })
})

describe('what arrives is compared with the ETag', () => {
  /** Changes a byte of the answers with these numbers. */
  const damaging = (from: CountedStore, numbers: readonly number[]) => {
    let count = 0
    from.answer = (_, honest) => {
      const found = honest() as StoredObject
      if (!numbers.includes(++count)) return found
      return { ...found, bytes: found.bytes.map((byte, index) => (index === 5 ? byte ^ count : byte)) }
    }
  }

  test('damage on the way is fetched again', async () => {
    const from = new CountedStore()
    from.put('a', bytesOf(50), md5Tag(bytesOf(50)))
    damaging(from, [1])
    const { cache } = await opened(from.store)
    expect(new Uint8Array(await readFile(await cache.ensure('a', 50)))).toEqual(bytesOf(50))
    expect(from.reads.length).toBe(2)
  })

  test('different damage each time is an error', async () => {
    const from = new CountedStore()
    from.put('a', bytesOf(50), md5Tag(bytesOf(50)))
    damaging(from, [1, 2])
    const { cache, folder } = await opened(from.store)
    await expect(cache.ensure('a', 50)).rejects.toThrow(
      'Cannot use simulated/a: its bytes do not match its ETag, and differ from one request to the next',
    )
    expect(await filesOf(folder)).toEqual([])
  })

  test('tags that look like an MD5 and are none cost a second request once', async () => {
    const from = new CountedStore()
    for (const name of ['a', 'b']) from.put(name, bytesOf(50), md5Tag(bytesOf(7)))
    const { cache } = await opened(from.store)
    for (const name of ['a', 'b']) await cache.ensure(name, 50)
    expect(from.reads).toEqual(['a', 'a', 'b'])
  })
})

describe('the bound', () => {
  const filled = async (bytesMax: number, options: { folder?: string } = {}) => {
    const from = new CountedStore()
    for (const name of ['a', 'b', 'c', 'd']) from.put(name, bytesOf(100))
    return { from, ...(await opened(from.store, { bytesMax, ...options })) }
  }

  test('removes what was used longest ago', async () => {
    const { cache, folder } = await filled(300)
    for (const name of ['a', 'b', 'c', 'a', 'd']) await cache.ensure(name, 100)
    expect(await filesOf(folder)).toEqual(['a', 'c', 'd'])
    expect(cache.counts).toMatchObject({ bytes: 300, files: 3, evictions: 1 })
  })

  test('leaves files in use alone until they are no longer', async () => {
    const { cache, folder } = await filled(150)
    for (const name of ['a', 'b']) {
      cache.pin(name)
      await cache.ensure(name, 100)
    }
    cache.pin('a')
    expect(await filesOf(folder)).toEqual(['a', 'b'])
    cache.unpin('a')
    await cache.ensure('c', 100)
    expect(await filesOf(folder)).toEqual(['a', 'b', 'c'])
    await cache.ensure('d', 100)
    expect(await filesOf(folder)).toEqual(['a', 'b', 'd'])
    for (const name of ['a', 'b']) cache.unpin(name)
    await cache.ensure('c', 100)
    await cache.close()
    expect(await filesOf(folder)).toEqual(['c'])
    expect(() => cache.unpin('a')).toThrow('Cannot unpin a: it is not pinned')
  })

  test('holds with many at the same time', async () => {
    const from = new CountedStore()
    const names = Array.from({ length: 200 }, (_, index) => `f${index}`)
    for (const [index, name] of names.entries()) from.put(name, bytesOf(1000, index))
    const { cache, folder } = await opened(from.store, { bytesMax: 20_000 })
    for (let round = 0; round < 3; round++)
      await Promise.all(
        names.map(async (name, index) => {
          cache.pin(name)
          try {
            const content = await readFile(await cache.ensure(name, 1000))
            expect(new Uint8Array(content)).toEqual(bytesOf(1000, index))
          } finally {
            cache.unpin(name)
          }
        }),
      )
    await cache.close()
    expect(cache.counts.bytes).toBeLessThanOrEqual(20_000)
    expect((await filesOf(folder)).length).toBe(cache.counts.files)
  })

  test('applies to a folder from before, in the order of use', async () => {
    const { cache, folder, from } = await filled(400)
    for (const name of ['a', 'b', 'c', 'd', 'b', 'a']) await cache.ensure(name, 100)
    await cache.close()
    const next = await opened(from.store, { folder, bytesMax: 200 })
    expect(await filesOf(folder)).toEqual(['a', 'b'])
    await next.cache.ensure('a', 100)
    expect(from.reads).toEqual(['a', 'b', 'c', 'd'])
  })
})

describe('a start', () => {
  test('uses what is intact, and fetches what was damaged, truncated or removed meanwhile', async () => {
    const from = new CountedStore()
    for (const name of ['x/a', 'x/b', 'x/c', 'x/d']) from.put(name, bytesOf(100))
    const { cache, folder } = await opened(from.store)
    for (const name of ['x/a', 'x/b', 'x/c', 'x/d']) await cache.ensure(name, 100)
    // Without a close, as after a crash.
    await writeFile(`${folder}/x/b`, bytesOf(100, 2))
    await truncate(`${folder}/x/c`, 99)
    await rm(`${folder}/x/d`)
    await writeFile(`${folder}/x/unknown`, 'left by a crash')
    await writeFile(`${folder}/other`, 'of another owner')
    await writeFile(`${folder}/.cache/arriving/half`, 'half')
    from.reads.length = 0
    const next = await opened(from.store, { folder, owns: ['x'] })
    expect(await filesOf(folder)).toEqual(['other', 'x/a', 'x/b'])
    expect(await readdir(`${folder}/.cache/arriving`)).toEqual([])
    for (const name of ['x/a', 'x/b', 'x/c', 'x/d'])
      expect(new Uint8Array(await readFile(await next.cache.ensure(name, 100)))).toEqual(bytesOf(100))
    expect(from.reads).toEqual(['x/b', 'x/c', 'x/d'])
    expect(next.cache.counts.damaged).toBe(1)
  })

  test('passes over a torn line of the journal', async () => {
    const from = new CountedStore()
    for (const name of ['a', 'b']) from.put(name, bytesOf(100))
    const { cache, folder } = await opened(from.store)
    for (const name of ['a', 'b']) await cache.ensure(name, 100)
    const journal = `${folder}/.cache/files`
    await truncate(journal, (await stat(journal)).size - 3)
    const next = await opened(from.store, { folder })
    for (const name of ['a', 'b']) await next.cache.ensure(name, 100)
    expect(from.reads).toEqual(['a', 'b', 'b'])
  })

  test('is not slowed down by lines about files that are gone', async () => {
    const from = new CountedStore()
    from.put('a', bytesOf(100))
    from.put('b', bytesOf(100))
    const { cache, folder } = await opened(from.store, { bytesMax: 100 })
    for (let round = 0; round < cacheLimits.journalSlackLines; round++)
      for (const name of ['a', 'b']) await cache.ensure(name, 100)
    const lines = (await readFile(`${folder}/.cache/files`, 'utf8')).split('\n').length
    expect(lines).toBeLessThan(cacheLimits.journalSlackLines + 10)
  })
})

describe('while it is open', () => {
  test('a truncated file is noticed when it is used, and damage when a reader reports it', async () => {
    const from = new CountedStore()
    for (const name of ['a', 'b']) from.put(name, bytesOf(100))
    const { cache } = await opened(from.store)
    for (const name of ['a', 'b']) await cache.ensure(name, 100)
    await truncate(await cache.ensure('a', 100), 50)
    expect((await stat(await cache.ensure('a', 100))).size).toBe(100)
    expect(await cache.recheck('b')).toBe(false)
    await writeFile(await cache.ensure('b', 100), bytesOf(100, 9))
    expect(await cache.recheck('b')).toBe(true)
    expect(new Uint8Array(await readFile(await cache.ensure('b', 100)))).toEqual(bytesOf(100))
    expect(cache.counts.damaged).toBe(2)
  })

  test('a file that was written locally is one of the cache', async () => {
    const from = new CountedStore()
    const { cache, folder } = await opened(from.store, { bytesMax: 150 })
    await mkdir(`${folder}/t`)
    await writeFile(`${folder}/t/new`, bytesOf(100))
    await cache.put('t/new')
    expect(await cache.ensure('t/new', 100)).toBe(`${folder}/t/new`)
    expect(from.reads).toEqual([])
    from.put('other', bytesOf(100))
    await cache.ensure('other', 100)
    expect(await filesOf(folder)).toEqual(['other'])
    await expect(cache.put('t/none')).rejects.toThrow('there is no such file')
  })

  test('a file that the lake no longer has goes, with its blocks, unless it is in use', async () => {
    const from = new CountedStore()
    from.put('a', bytesOf(100))
    from.put('b', bytesOf(300_000))
    const { cache, folder } = await opened(from.store)
    cache.pin('a')
    await cache.ensure('a', 100)
    await cache.read('b', 300_000, { start: 0, length: 300_000 })
    await cache.forget('a', 100)
    expect(await filesOf(folder)).toEqual(['a'])
    cache.unpin('a')
    await cache.forget('a', 100)
    await cache.forget('b', 300_000)
    expect(cache.counts).toMatchObject({ bytes: 0, files: 0, evictions: 0 })
    expect(await readdir(`${folder}/.cache/blocks`)).toEqual([])
  })

  test('names that point elsewhere are refused', async () => {
    const { cache } = await opened(new CountedStore().store)
    for (const name of ['../a', '/a', '.cache/files', ''])
      await expect(cache.ensure(name, 1)).rejects.toBeInstanceOf(TypeError)
  })

  test('closing gives up what is being fetched', async () => {
    const from = new CountedStore()
    from.put('a', bytesOf(100))
    const aborted = Promise.withResolvers<never>()
    const begun = Promise.withResolvers<void>()
    const store: ObjectStore = Object.assign(Object.create(from.store), {
      get: (_: string, { signal }: { signal: AbortSignal }) => {
        signal.addEventListener('abort', () => aborted.reject(new ObjectStoreError('unreachable', 'Aborted')))
        begun.resolve()
        return aborted.promise
      },
    })
    const { cache } = await opened(store)
    const asked = cache.ensure('a', 100).catch((cause: unknown) => cause)
    await begun.promise
    await cache.close()
    expect(await asked).toMatchObject({ kind: 'unreachable' })
  })
})

describe('a part of a file', () => {
  const { blockBytes } = cacheLimits

  test('is read by blocks, with one request for neighbours, and kept', async () => {
    const from = new CountedStore()
    const bytes = 5 * blockBytes + 100
    const content = bytesOf(bytes)
    from.put('big', content)
    const { cache, folder } = await opened(from.store)
    const part = (start: number, length: number) => cache.read('big', bytes, { start, length })
    expect(await part(bytes - 8, 8)).toEqual(content.subarray(bytes - 8))
    expect(await part(blockBytes - 1, 2)).toEqual(content.subarray(blockBytes - 1, blockBytes + 1))
    expect(Bun.hash(await part(0, 10 * bytes))).toBe(Bun.hash(content))
    expect(await part(bytes, 5)).toEqual(new Uint8Array())
    expect(from.reads).toEqual([
      `big ${5 * blockBytes}+100`,
      `big 0+${2 * blockBytes}`,
      `big ${2 * blockBytes}+${3 * blockBytes}`,
    ])
    expect(cache.counts).toMatchObject({ bytes, files: 6, misses: 3 })
    await cache.close()
    const next = await opened(from.store, { folder })
    expect(Bun.hash(await next.cache.read('big', bytes, { start: 0, length: bytes }))).toBe(Bun.hash(content))
    expect(next.cache.counts).toMatchObject({ hits: 1, misses: 0 })
  })

  test('is fetched once for all who ask at the same time', async () => {
    const from = new CountedStore()
    from.put('big', bytesOf(3 * blockBytes))
    const { cache } = await opened(from.store)
    const parts = await Promise.all(
      [0, 1, 2, 3, 4].map((start) => cache.read('big', 3 * blockBytes, { start, length: blockBytes })),
    )
    for (const [start, part] of parts.entries())
      expect(Bun.hash(part)).toBe(Bun.hash(bytesOf(3 * blockBytes).slice(start, start + blockBytes)))
    expect(from.reads).toEqual([`big 0+${blockBytes}`, `big ${blockBytes}+${blockBytes}`])
  })

  test('comes from the whole file if that is there', async () => {
    const from = new CountedStore()
    from.put('big', bytesOf(1000))
    const { cache } = await opened(from.store)
    await cache.ensure('big', 1000)
    expect(await cache.read('big', 1000, { start: 10, length: 20 })).toEqual(bytesOf(1000).subarray(10, 30))
    expect(from.reads).toEqual(['big'])
  })

  test.each([
    ['whose block has lost bytes is fetched again', 999, false],
    ['whose block has other bytes is, too, after a start', 1000, true],
  ] as const)('%s', async (_, bytes, isReopened) => {
    const from = new CountedStore()
    from.put('big', bytesOf(1000))
    const first = await opened(from.store)
    const { folder } = first
    const read = (cache: FileCache) => cache.read('big', 1000, { start: 10, length: 20 })
    await read(first.cache)
    if (isReopened) await first.cache.close()
    const [block = ''] = await readdir(`${folder}/.cache/blocks`)
    await writeFile(`${folder}/.cache/blocks/${block}`, bytesOf(bytes, 3))
    const { cache } = isReopened ? await opened(from.store, { folder }) : first
    expect(await read(cache)).toEqual(bytesOf(1000).subarray(10, 30))
    expect(await read(cache)).toEqual(bytesOf(1000).subarray(10, 30))
    expect(cache.counts.damaged).toBe(1)
    expect(from.reads).toEqual(['big 0+1000', 'big 0+1000'])
  })

  test('is the same from all of its blocks, when they arrive, afterwards, and after a start', async () => {
    const { blockBytes } = cacheLimits
    const content = bytesOf(3 * blockBytes + 7)
    const from = new CountedStore()
    from.put('big', content)
    const ranges = [
      [0, content.length],
      [blockBytes - 5, 10],
      [blockBytes, blockBytes],
      [2 * blockBytes + 1, blockBytes + 6],
    ] as const
    const folder = newFolder()
    for (let start = 0; start < 2; start++) {
      await using cache = (await opened(from.store, { folder })).cache
      await using file = await cache.open({ name: 'big', bytes: content.length })
      for (let time = 0; time < 2; time++)
        for (const [at, length] of ranges) {
          const part = await file.read(at, length)
          expect(Bun.hash(part)).toBe(Bun.hash(content.slice(at, at + length)))
          expect(part.buffer.byteLength).toBe(length)
        }
    }
    expect(from.reads).toEqual([`big 0+${content.length}`])
  })

  test('of a file that was written again is not one of the file before', async () => {
    const from = new CountedStore()
    from.put('big', bytesOf(1000))
    const { cache } = await opened(from.store)
    await cache.read('big', 1000, { start: 10, length: 20 })
    from.put('big', bytesOf(1001, 3))
    expect(await cache.read('big', 1001, { start: 10, length: 20 })).toEqual(bytesOf(1001, 3).subarray(10, 30))
  })

  test('that is shorter than it has to be is an error', async () => {
    const from = new CountedStore()
    from.put('big', bytesOf(900))
    const { cache } = await opened(from.store)
    await expect(cache.read('big', 1000, { start: 10, length: 20 })).rejects.toThrow(
      'its part from byte 0 on has 900 bytes, expected 1000',
    )
    await expect(cache.read('gone', 1000, { start: 10, length: 20 })).rejects.toMatchObject({ kind: 'absent' })
  })
})
