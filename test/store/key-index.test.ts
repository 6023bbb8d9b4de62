import { expect, test } from 'bun:test'
import { readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSection } from '../../src/engine/index-file/index-file.ts'
import { BloomFilter } from '../../src/engine/keys/bloom-filter.ts'
import type { Row } from '../../src/lib/table.ts'
import { HeldSnapshot } from './held-snapshot.ts'
import { damageSection, indexFiles, placeOf, replaceSection } from './index-files.ts'
import { findLastingFaults } from './lasting-faults.ts'
import { closedNote, noteRow, removal } from './notes-table.ts'
import { Random, seedOr } from './random.ts'
import { StoreBench, warnLevel } from './store-bench.ts'
import { until } from './until.ts'
import { idsOf, visibleRows } from './visible-rows.ts'

const groupFiles = ({ tableFolder }: StoreBench): string[] =>
  readdirSync(join(tableFolder, '_filters'))
    .filter((name) => name.endsWith('.group'))
    .map((name) => join(tableFolder, '_filters', name))
const dataFiles = (bench: StoreBench): string[] =>
  readdirSync(bench.tableFolder)
    .filter((name) => name.endsWith('.parquet'))
    .map((name) => join(bench.tableFolder, name))

/** Filters that match every key, as if all lookups were false positives. */
async function letFiltersSayPerhaps(bench: StoreBench): Promise<void> {
  await bench.close()
  for (const path of indexFiles(bench)) await replaceSection(path, 'bloom', BloomFilter.matchAll().toBytes())
  await bench.reopen()
}

async function hideDataFiles(bench: StoreBench, task: () => Promise<void>): Promise<void> {
  const hidden = dataFiles(bench)
  for (const path of hidden) renameSync(path, `${path}.hidden`)
  try {
    await task()
  } finally {
    for (const path of hidden) renameSync(`${path}.hidden`, path)
  }
}

/** Drains what was written into DuckDB, without reading any of it. */
async function merge(bench: StoreBench): Promise<void> {
  await using _ = await HeldSnapshot.ofLookup(bench.store)
}

const notes = (prefix: string, count: number): Row[] =>
  Array.from({ length: count }, (_, index) => closedNote(`${prefix}-${index}`))

test('rows with new keys are merged without opening a data file', async () => {
  await using bench = await StoreBench.open()
  // As many as stay uncompacted.
  for (let file = 0; file < 5; file++) {
    await bench.store.write('notes', notes(`old-${file}`, 50))
    await bench.store.flush()
  }
  await letFiltersSayPerhaps(bench)
  await hideDataFiles(bench, async () => {
    // Within the bounds of all files.
    await bench.store.write('notes', notes('old-2', 2000).slice(50))
    await bench.store.write('notes', notes('old-1-3', 2000))
    await merge(bench)
  })
  expect(await visibleRows(bench.store)).toHaveLength(5 * 50 + 1950 + 2000)
  await bench.store.flush()
  expect(await findLastingFaults(bench.tableFolder, ['project', 'id'])).toEqual([])
  // An update of a row in a file does open that file.
  await hideDataFiles(bench, async () => {
    await bench.store.write('notes', [noteRow({ id: 'old-0-7', votes: 1 })])
    await merge(bench)
    expect(bench.store.state()).toMatchObject({ damagedFiles: 1 })
  })
})

test('only files with a changed row are rewritten', async () => {
  await using bench = await StoreBench.open()
  for (const number of [1, 2, 3]) {
    await bench.store.write('notes', [closedNote(`a${number}`), closedNote(`z${number}`)])
    await bench.store.flush()
  }
  await letFiltersSayPerhaps(bench)
  const before = dataFiles(bench)
  await bench.store.write('notes', [noteRow({ id: 'a2', votes: 1 }), removal('nobody')])
  await bench.store.flush()
  await bench.removeReplaced()
  expect(dataFiles(bench).filter((path) => before.includes(path))).toHaveLength(2)
})

const damages = {
  removed: (path: string) => rmSync(path),
  emptied: (path: string) => truncateSync(path, 0),
  cut: (path: string) => truncateSync(path, readFileSync(path).byteLength - 4),
  changed: (path: string) => {
    const bytes = readFileSync(path)
    bytes[bytes.byteLength - 3]! ^= 0x40
    writeFileSync(path, bytes)
  },
} as const

async function keysOf(path: string): Promise<Buffer | undefined> {
  const place = await placeOf(path, 'keys')
  const bytes = place && (await readSection(place))
  return bytes && Buffer.from(bytes)
}

const keyDamages = {
  'without keys': (path: string) => replaceSection(path, 'keys'),
  'damaged in its keys': (path: string) => damageSection(path, 'keys'),
  'damaged in a page of its keys': (path: string) => damageSection(path, 'keys', 200),
} as const

for (const [how, damage] of Object.entries({ ...damages, ...keyDamages })) {
  test(`an index that is ${how} hides and duplicates nothing, and is rebuilt`, async () => {
    await using bench = await StoreBench.open()
    await bench.store.write('notes', notes('old', 50))
    await letFiltersSayPerhaps(bench)
    await bench.close()
    const [path] = indexFiles(bench) as [string]
    const whole = await keysOf(path)
    await damage(path)
    await bench.reopen()
    await bench.store.write('notes', [noteRow({ id: 'old-7', votes: 1 }), closedNote('new')])
    const rows = await visibleRows(bench.store)
    expect(rows).toHaveLength(51)
    expect(rows.find(({ id }) => id === 'old-7')).toMatchObject({ votes: 1, title: 'title of old-7' })
    await until(async () => (await keysOf(path))?.equals(whole!) === true)
  })
}

test('a missing key index is rebuilt in the background', async () => {
  await using bench = await StoreBench.open()
  for (let file = 0; file < 5; file++) {
    await bench.store.write('notes', notes(`old-${file}`, 20))
    await bench.store.flush()
  }
  await bench.close()
  for (const path of indexFiles(bench)) rmSync(path)
  await bench.reopen()
  await until(() => indexFiles(bench).length === 5)
  await bench.store.write('notes', [noteRow({ id: 'old-3-3', votes: 9 })])
  expect(await visibleRows(bench.store)).toHaveLength(100)
}, 120_000)

test('a page of keys that is damaged at run time is not trusted', async () => {
  await using bench = await StoreBench.open()
  await bench.store.write('notes', notes('old', 50))
  await bench.store.flush()
  await bench.store.write('notes', [noteRow({ id: 'old-1', votes: 1 })])
  await merge(bench)
  await damageSection(indexFiles(bench)[0]!, 'keys')
  await bench.store.write('notes', [noteRow({ id: 'old-2', votes: 2 })])
  expect(await visibleRows(bench.store)).toHaveLength(50)
  await bench.store.flush()
  expect(await findLastingFaults(bench.tableFolder, ['project', 'id'])).toEqual([])
})

const rounds = Number(process.env['TRACELAKE_TEST_SEQUENCES'] ?? 120) / 6

test('random writes, deletions, compactions, crashes and damaged indexes match a plain set', async () => {
  const seed = seedOr(20_261_122)
  console.log(`TRACELAKE_TEST_SEED=${seed}`)
  const random = new Random(seed)
  let bench = await StoreBench.open()
  const known = new Set<string>()
  const gone = new Set<string>()
  try {
    for (let round = 0; round < rounds; round++) {
      const rows: Row[] = []
      for (let count = random.below(40); count > 0; count--) {
        const id = `id-${random.below(400)}`
        if (gone.has(id)) continue
        if (random.chance(0.1)) {
          rows.push(removal(id))
          gone.add(id)
          known.delete(id)
        } else {
          rows.push(closedNote(id, { votes: round }))
          known.add(id)
        }
      }
      await bench.store.write('notes', rows)
      if (random.chance(0.6)) await bench.store.flush()
      if (random.chance(0.15)) await bench.store.compact()
      if (random.chance(0.3)) bench = await afterDamage(bench, random)
      const ids = idsOf(await visibleRows(bench.store))
      expect(ids).toEqual([...known].sort())
    }
    await bench.reopen()
    expect(await findLastingFaults(bench.tableFolder, ['project', 'id'])).toEqual([])
    expect(bench.entries(warnLevel)).toEqual([])
  } finally {
    await bench[Symbol.asyncDispose]()
  }
}, 600_000)

/** A crash, after which one index file is damaged. */
async function afterDamage(bench: StoreBench, random: Random): Promise<StoreBench> {
  const after = await StoreBench.closedCopyOf(bench)
  await bench[Symbol.asyncDispose]()
  const files = [...indexFiles(after), ...groupFiles(after)]
  const file = files.length > 0 ? random.pick(files) : undefined
  if (file?.endsWith('.index')) await random.pick([...Object.values(damages), ...Object.values(keyDamages)])(file)
  else if (file !== undefined) random.pick(Object.values(damages))(file)
  return await after.reopen()
}
