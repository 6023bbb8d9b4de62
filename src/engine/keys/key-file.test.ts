import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Random, seedOr } from '../../../test/store/random.ts'
import { wholeFile } from '../index-file/index-file.ts'
import { KeyHashCollector, type ValueHash } from './bloom-filter.ts'
import { bytesOfKeys, KeyFile } from './key-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'tracelake-keys-'))
afterAll(() => rmSync(folder, { recursive: true }))

const hashesOf = (found: readonly ValueHash[]): KeyHashCollector => {
  const hashes = new KeyHashCollector()
  for (const hash of found) hashes.add(hash)
  return hashes
}
const wordsOf = (requested: readonly ValueHash[]): Uint32Array =>
  Uint32Array.from(requested.flatMap(({ a, b }) => [b, a]))
const textsOf = (words: Uint32Array): Set<string> =>
  new Set(Array.from({ length: words.length / 2 }, (_, at) => `${words[at * 2 + 1]} ${words[at * 2]}`))
const textOf = ({ a, b }: ValueHash): string => `${a} ${b}`

async function written(name: string, hashes: readonly ValueHash[]): Promise<string> {
  const path = join(folder, name)
  writeFileSync(path, bytesOfKeys(hashesOf(hashes).sorted()))
  return path
}

async function find(path: string): Promise<KeyFile | undefined> {
  const place = await wholeFile(path)
  return place && (await KeyFile.find(place))
}

test('a key file behaves like a set, whatever its size and the distribution of hashes', async () => {
  const seed = seedOr(20_261_122)
  console.log(`TRACELAKE_TEST_SEED=${seed}`)
  const random = new Random(seed)
  for (const count of [0, 1, 2, 511, 512, 513, 1024, 5000]) {
    for (const spread of [1, 3, 2 ** 32]) {
      const hash = (): ValueHash => ({ a: random.below(spread), b: random.below(2 ** 32) })
      const hashes = Array.from({ length: count }, hash)
      const file = await find(await written(`${count}-${spread}`, [...hashes, ...hashes.slice(0, 5)]))
      const known = new Set(hashes.map(textOf))
      expect(file?.count).toBe(known.size)
      const requested = [...hashes.slice(0, 700), ...Array.from({ length: 700 }, hash), { a: 0, b: 0 }]
      requested.push({ a: 2 ** 32 - 1, b: 2 ** 32 - 1 })
      const places = requested.map((_, place) => place)
      const held = new Set(await file!.findPresent(wordsOf(requested), places))
      for (const place of places) expect(held.has(place)).toBe(known.has(textOf(requested[place]!)))
      for (const [lower, upper] of [
        [0, 2 ** 32 - 1],
        [1, 1],
        [2 ** 31, 2 ** 31 + 2 ** 29],
      ] as const) {
        const read = textsOf(await file!.hashesBetween(lower, upper))
        const wanted = hashes.filter(({ a }) => a >= lower && a <= upper).map(textOf)
        expect(wanted.filter((text) => !read.has(text))).toEqual([])
        if (upper === 2 ** 32 - 1) expect(read).toEqual(known)
      }
    }
  }
})

test('excluded hashes are not written', () => {
  const hashes = [9, 3, 5, 3, 1].map((a) => ({ a, b: 7 }))
  const left = [4, 3, 9].map((a) => ({ a, b: 7 }))
  expect([...hashesOf(hashes).sorted(hashesOf(left))]).toEqual([7, 1, 7, 5])
  expect([...hashesOf(hashes).sorted()]).toEqual([7, 1, 7, 3, 7, 5, 7, 9])
})

test('a file that is missing, truncated, extended or altered is never trusted', async () => {
  const hashes = Array.from({ length: 2000 }, (_, i) => ({ a: i * 1000, b: i }))
  const path = await written('whole', hashes)
  const bytes = readFileSync(path)
  const requested = wordsOf(hashes)
  const places = hashes.map((_, place) => place)
  const answer = async (file: string) => (await find(file))?.findPresent(requested, places)
  expect(await answer(path)).toHaveLength(2000)
  expect(await answer(join(folder, 'nowhere'))).toBeUndefined()
  const broken = join(folder, 'broken')
  for (let at = 0; at < bytes.byteLength; at += at < 100 ? 1 : 997) {
    const changed = new Uint8Array(bytes)
    changed[at]! ^= 0x10
    writeFileSync(broken, changed)
    // The last word of the header is unused.
    if (at < 12 || at >= 16) expect(await answer(broken)).toBeUndefined()
  }
  for (const length of [0, 3, 16, 40, bytes.byteLength - 8, bytes.byteLength - 1]) {
    writeFileSync(broken, bytes)
    truncateSync(broken, length)
    expect(await answer(broken)).toBeUndefined()
  }
  writeFileSync(broken, Buffer.concat([bytes, Buffer.alloc(8)]))
  expect(await answer(broken)).toBeUndefined()
})

test('truncation of a file in use is detected', async () => {
  const hashes = Array.from({ length: 2000 }, (_, i) => ({ a: i * 1000, b: i }))
  const path = await written('cut later', hashes)
  const file = await find(path)
  truncateSync(path, 9000)
  expect(await file!.findPresent(wordsOf(hashes), [1999])).toBeUndefined()
  rmSync(path)
  expect(await file!.findPresent(wordsOf(hashes), [0])).toBeUndefined()
})
