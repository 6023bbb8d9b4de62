import { expect } from 'bun:test'
import { type ObjectStore, ObjectStoreError, type PutCondition } from '../../src/runtime/objects/object-store.ts'
import { putOwn } from '../../src/runtime/objects/put-own.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

const refusedWith = (kind: string) => expect.objectContaining({ name: 'ObjectStoreError', kind })

async function namesOf(store: ObjectStore, prefix: string, after?: string): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of store.list(prefix, { after })) names.push(name)
  return names
}

async function winnersOf(store: ObjectStore, name: string, when: PutCondition): Promise<string[]> {
  const texts = Array.from({ length: 12 }, (_, index) => `writer ${index} ${crypto.randomUUID()}`)
  const won = await Promise.all(
    texts.map((text) => putOwn(store, name, bytesOf(text), { when }).then(({ isOurs }) => isOurs)),
  )
  return texts.filter((_, index) => won[index])
}

/** What every object store does, one test each. Each case has names of its own. */
export const objectStoreCases: readonly (readonly [string, (store: ObjectStore, folder: string) => Promise<void>])[] = [
  [
    'an object is read back, replaced and deleted',
    async (store, folder) => {
      const name = `${folder}/a/b.txt`
      await expect(store.get(name)).rejects.toEqual(refusedWith('absent'))
      expect(await store.head(name)).toBeUndefined()
      const tag = await store.put(name, bytesOf('one'))
      expect(await store.get(name)).toEqual({ bytes: bytesOf('one'), tag })
      expect(await store.head(name)).toEqual({ name, bytes: 3, tag })
      const next = await store.put(name, bytesOf('two, longer'))
      expect(next).not.toBe(tag)
      expect(textOf((await store.get(name)).bytes)).toBe('two, longer')
      await store.delete(name)
      await store.delete(name)
      expect(await store.head(name)).toBeUndefined()
    },
  ],
  [
    'an empty object, and one of a million bytes of all values',
    async (store, folder) => {
      await store.put(`${folder}/empty`, new Uint8Array())
      expect((await store.get(`${folder}/empty`)).bytes).toEqual(new Uint8Array())
      const bytes = Uint8Array.from({ length: 1_000_000 }, (_, index) => (index * 7919) >> 3)
      await store.put(`${folder}/bytes`, bytes)
      expect(Bun.hash((await store.get(`${folder}/bytes`)).bytes)).toBe(Bun.hash(bytes))
    },
  ],
  [
    'a range is read, also beyond the end',
    async (store, folder) => {
      const tag = await store.put(`${folder}/range`, bytesOf('0123456789'))
      expect(await store.get(`${folder}/range`, { range: { start: 2, length: 3 } })).toEqual({
        bytes: bytesOf('234'),
        tag,
      })
      expect(textOf((await store.get(`${folder}/range`, { range: { start: 8, length: 9 } })).bytes)).toBe('89')
      await expect(store.get(`${folder}/none`, { range: { start: 0, length: 1 } })).rejects.toEqual(
        refusedWith('absent'),
      )
    },
  ],
  [
    'put-if-absent has one winner',
    async (store, folder) => {
      for (let round = 0; round < 5; round++) {
        const won = await winnersOf(store, `${folder}/absent-${round}`, { ifAbsent: true })
        expect(won).toEqual([textOf((await store.get(`${folder}/absent-${round}`)).bytes)])
      }
      await expect(store.put(`${folder}/absent-0`, bytesOf('late'), { when: { ifAbsent: true } })).rejects.toEqual(
        refusedWith('lost-race'),
      )
    },
  ],
  [
    'put-if-match has one winner, and none with an outdated tag',
    async (store, folder) => {
      const name = `${folder}/match`
      const first = await store.put(name, bytesOf('first'))
      for (let round = 0, tag = first; round < 5; round++) {
        const won = await winnersOf(store, name, { ifMatch: tag })
        const found = await store.get(name)
        expect(won).toEqual([textOf(found.bytes)])
        tag = found.tag
      }
      for (const bytes of [bytesOf('first'), bytesOf('other')])
        await expect(store.put(name, bytes, { when: { ifMatch: first } })).rejects.toEqual(refusedWith('lost-race'))
      await expect(store.put(`${folder}/no`, bytesOf('a'), { when: { ifMatch: first } })).rejects.toEqual(
        refusedWith('lost-race'),
      )
    },
  ],
  [
    'a listing is sorted by bytes, begins after a name and ends with the prefix',
    async (store, folder) => {
      const names = ['b/2', 'a.txt', 'a/1', 'a/10', 'a-1', 'ab', 'b/1', 'A', '_delta_log/0.json', 'p=1/x'].map(
        (name) => `${folder}/${name}`,
      )
      for (const name of names) await store.put(name, bytesOf(name))
      await store.put(`${folder}x/other`, bytesOf('x'))
      const sorted = [...names].sort()
      expect(await namesOf(store, `${folder}/`)).toEqual(sorted)
      expect(await namesOf(store, `${folder}/`, sorted[3])).toEqual(sorted.slice(4))
      // Another name than one that exists.
      expect(await namesOf(store, `${folder}/`, `${folder}/a/`)).toEqual(sorted.filter((name) => name > `${folder}/a/`))
      expect(await namesOf(store, `${folder}/a`)).toEqual(sorted.filter((name) => name.startsWith(`${folder}/a`)))
      expect(await namesOf(store, `${folder}/nothing/`)).toEqual([])
      for await (const { modifiedMs, ...info } of store.list(`${folder}/`)) {
        expect(await store.head(info.name)).toEqual(info)
        // The clock of a store may be another one; what is simulated has none.
        if (modifiedMs !== undefined) expect(Math.abs(modifiedMs - Date.now())).toBeLessThan(86_400_000)
      }
    },
  ],
  [
    'objects are uploaded in parts',
    async (store, folder) => {
      const piece = Uint8Array.from({ length: 3 << 20 }, (_, index) => index % 251)
      for (const count of [0, 1, 3, 6]) {
        const name = `${folder}/large-${count}`
        const tag = await store.putLarge(name, times(piece, count))
        const hash = new Bun.CryptoHasher('sha256')
        for (let index = 0; index < count; index++) hash.update(piece)
        const found = await store.get(name)
        expect(found.bytes.length).toBe(count * piece.length)
        expect(Bun.CryptoHasher.hash('sha256', found.bytes, 'hex')).toBe(hash.digest('hex'))
        expect(found.tag).toBe(tag)
      }
    },
  ],
  [
    'an upload whose source fails leaves no object',
    async (store, folder) => {
      const failing = async function* () {
        yield new Uint8Array(9 << 20)
        throw new Error('The source failed')
      }
      const failed = await store.putLarge(`${folder}/failed`, failing()).catch((cause: unknown) => cause)
      expect(String(failed)).toContain('The source failed')
      expect(await store.head(`${folder}/failed`)).toBeUndefined()
    },
  ],
  [
    'names that mean something else elsewhere are refused',
    async (store) => {
      for (const name of ['', '/a', 'a/', 'a//b', '../a', 'a/./b', '.hidden', 'ä', 'a b', 'a?b', 'a'.repeat(600)])
        await expect((async () => store.put(name, bytesOf('x')))()).rejects.toBeInstanceOf(TypeError)
    },
  ],
  [
    'an aborted request rejects, or has happened',
    async (store, folder) => {
      const signal = AbortSignal.abort()
      await store.put(`${folder}/aborted`, bytesOf('x'), { signal }).catch((cause: unknown) => {
        expect(cause).toBeInstanceOf(ObjectStoreError)
      })
    },
  ],
]

async function* times(piece: Uint8Array, count: number): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index++) yield piece
}
