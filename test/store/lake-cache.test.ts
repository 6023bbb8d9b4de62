import { expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync, readdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storageLimits } from '../../src/lib/limits/storage.ts'
import type { Row } from '../../src/lib/table.ts'
import { type ObjectStore, ObjectStoreError } from '../../src/runtime/objects/object-store.ts'
import { SimulatedObjects, SimulatedStore, type StoreOperation } from '../lake/simulated-store.ts'
import { NotesModel } from './notes-model.ts'
import { closedNote, noteRow, removal, startMs } from './notes-table.ts'
import { Random, seedOr } from './random.ts'
import { StoreBench } from './store-bench.ts'
import { until } from './until.ts'
import { idsOf, visibleRows } from './visible-rows.ts'

setDefaultTimeout(120_000)

const KiB = 1024

/** Objects, and a client that counts what is fetched of data files and indexes. */
class Lake {
  readonly objects: SimulatedObjects
  /** Names of data files and indexes, once per request. */
  fetched: string[] = []
  /** Called before a request is answered. */
  before: (operation: StoreOperation) => Promise<void> | void = () => {}
  readonly store: ObjectStore = new SimulatedStore(async (operation) => {
    await this.before(operation)
    if (isOfFile(operation)) this.fetched.push(operation.name)
    return this.objects.run(operation)
  })

  constructor(objects = new SimulatedObjects()) {
    this.objects = objects
  }

  /** A node, with an empty cache unless it has a folder, that takes over from all before. */
  open(cacheBytesMax: number, folder?: string): Promise<StoreBench> {
    const options = { lake: { store: this.store, node: 'n', cacheBytesMax }, isMaintained: false }
    return folder === undefined ? StoreBench.open(undefined, options) : StoreBench.openAt(folder, options)
  }
}

const isOfFile = (operation: StoreOperation): operation is Extract<StoreOperation, { kind: 'get' }> =>
  operation.kind === 'get' && /\.(parquet|index)$/.test(operation.name) && !operation.name.includes('_delta_log')

/** A note of an hour, with a text that does not compress well. */
const wideNote = (random: Random, { id, hour, bytes }: { id: string; hour: number; bytes: number }): Row =>
  closedNote(id, {
    author: `a${random.below(50)}`,
    opened: (startMs + hour * 3_600_000 + random.below(3_600_000)) * 1000,
    votes: random.below(100),
    body: JSON.stringify(Array.from({ length: bytes / 8 }, () => random.next().toString(36).slice(2, 10)).join('')),
  })

const flush = (bench: StoreBench) => bench.store.flush({ retainIncomplete: false })
const point = ({ store }: StoreBench, id: string) =>
  store.rowInFiles('notes', { projectId: 'p', id }, ['id', 'title', 'author', 'body', 'votes'])
const count = ({ store }: StoreBench) => store.countRows('notes', { projectId: 'p' })

/** Rows of an author, in the hours of a day, as a query asks for them. */
const ofAuthor = ({ store }: StoreBench, author: string, hour: number) =>
  store.read(['notes'], { projectId: 'p' }, async (snapshot) => {
    const after = (startMs + hour * 3_600_000) * 1000
    const hints = { times: { after, through: after + 3 * 3_600_000_000 } }
    const { branches } = await snapshot.relationWhere('notes', { author: [author] }, hints, {})
    const ids: unknown[] = []
    for (const { source } of branches) {
      if (source.kind !== 'files') continue
      const text = `SELECT id, votes FROM read_parquet($1) t WHERE author = $2 AND opened > make_timestamptz(${after})
        AND opened <= make_timestamptz(${hints.times.through})`
      ids.push(...(await snapshot.rows({ text, values: [{ files: [...source.paths] }, author] })))
    }
    return ids.toSorted()
  })

test('a cache of 1 MiB in front of 20 MB gives the same answers as a folder', async () => {
  const seed = seedOr(1)
  const random = new Random(seed)
  const lake = new Lake()
  await using folder = await StoreBench.open(undefined, { isMaintained: false })
  await using first = await lake.open(KiB * KiB)
  for (let hour = 0; hour < 20; hour++) {
    const rows = Array.from({ length: 500 }, (_, at) => wideNote(random, { id: `n${hour}-${at}`, hour, bytes: 2048 }))
    for (const bench of [folder, first]) {
      await bench.store.write('notes', structuredClone(rows))
      await flush(bench)
    }
  }
  lake.fetched = []
  await using second = await lake.open(KiB * KiB)
  expect(lake.fetched).toEqual([])
  const ask = async (): Promise<void> => {
    const [hour, at, kind] = [random.below(20), random.below(600), random.below(10)]
    const author = `a${random.below(55)}`
    if (kind < 4) expect(await point(second, `n${hour}-${at}`)).toEqual(await point(folder, `n${hour}-${at}`))
    else if (kind < 8) expect(await ofAuthor(second, author, hour)).toEqual(await ofAuthor(folder, author, hour))
    else if (kind < 9) expect(await count(second)).toBe(await count(folder))
    else expect(await visibleRows(second.store)).toEqual(await visibleRows(folder.store))
  }
  for (let round = 0; round < 8; round++) await Promise.all(Array.from({ length: 4 }, ask))
  const cache = second.store.lake?.cache
  expect(cache?.counts.evictions).toBeGreaterThan(0)
  await until(async () => (cache?.counts.bytes ?? 0) <= KiB * KiB)
})

test.each([1, 2, 3].map((seed) => seedOr(seed)))(
  'changes, flushes, compactions and takeovers with a tiny cache lose and double nothing, seed %d',
  async (seed) => {
    const random = new Random(seed)
    const lake = new Lake()
    const model = new NotesModel()
    const benches = [await lake.open(20 * KiB)]
    let owner = benches[0]!
    try {
      for (let step = 0; step < 40; step++) {
        const ids = new Set(Array.from({ length: random.between(1, 5) }, () => `n${random.below(30)}`))
        const change = random.below(12)
        if (change < 6) {
          const rows = [...ids].map((id) => {
            if (random.chance(0.2)) return removal(id)
            if (random.chance(0.3)) return noteRow({ id, votes: step })
            return wideNote(random, { id, hour: step, bytes: 2048 })
          })
          await owner.store.write('notes', structuredClone(rows))
          for (const row of rows) model.write(row)
        } else if (change < 9) await flush(owner)
        else if (change < 11) await owner.store.compact()
        else {
          owner = await lake.open(20 * KiB)
          benches.push(owner)
        }
        expect(await visibleRows(owner.store)).toEqual(model.visible('p'))
      }
    } finally {
      for (const bench of benches) await bench[Symbol.asyncDispose]()
    }
  },
)

/** A lake with a file an hour, each of about 60 KB. */
async function lakeOfHours(hours: number): Promise<Lake> {
  const random = new Random(7)
  const lake = new Lake()
  await using bench = await lake.open(10 * KiB * KiB)
  for (let hour = 0; hour < hours; hour++) {
    const rows = Array.from({ length: 30 }, (_, at) => wideNote(random, { id: `n${hour}-${at}`, hour, bytes: 2048 }))
    await bench.store.write('notes', rows)
    await flush(bench)
  }
  return lake
}

test('a file is fetched once, however many readers wait for it, and new rows need none', async () => {
  const lake = await lakeOfHours(4)
  lake.fetched = []
  await using bench = await lake.open(10 * KiB * KiB)
  await bench.store.write('notes', [closedNote('z')])
  await flush(bench)
  const parquet = () => lake.fetched.filter((name) => name.endsWith('.parquet'))
  expect(parquet()).toEqual([])
  const all = await Promise.all(Array.from({ length: 8 }, () => visibleRows(bench.store)))
  for (const rows of all) expect(rows).toHaveLength(121)
  expect(parquet()).toHaveLength(4)
  expect(new Set(parquet()).size).toBe(4)
})

test('readers of a file go on while it is evicted for others', async () => {
  const lake = await lakeOfHours(6)
  await using bench = await lake.open(70 * KiB)
  const readers = Array.from({ length: 6 }, async (_, at) => {
    for (let round = 0; round < 10; round++)
      expect(await point(bench, `n${(at + round) % 6}-${round}`)).toMatchObject({ id: `n${(at + round) % 6}-${round}` })
  })
  const all = Array.from({ length: 2 }, async () => {
    for (let round = 0; round < 5; round++) expect(await visibleRows(bench.store)).toHaveLength(180)
  })
  await Promise.all([...readers, ...all])
})

test('while the store is away, what is cached can be read, and the rest is 503', async () => {
  const lake = await lakeOfHours(3)
  await using bench = await lake.open(10 * KiB * KiB)
  const hour = (at: number) =>
    bench.store.read(['notes'], { projectId: 'p' }, async (snapshot) => {
      const after = (startMs + at * 3_600_000) * 1000 - 1
      const relation = snapshot.relation('notes', {}, { times: { after, through: after + 3_600_000_000 } })
      const paths = relation.branches.flatMap(({ source }) => (source.kind === 'files' ? source.paths : []))
      return await snapshot.rows({ text: 'SELECT id FROM read_parquet($1)', values: [{ files: paths }] })
    })
  expect(await hour(0)).toHaveLength(30)
  lake.before = () => {
    throw new ObjectStoreError('unreachable', 'Cannot reach the store')
  }
  expect(await hour(0)).toHaveLength(30)
  await expect(hour(1)).rejects.toMatchObject({ type: 'StoreUnavailable' })
  await expect(point(bench, 'n2-1')).rejects.toMatchObject({ type: 'StoreUnavailable' })
  lake.before = () => {}
  expect(await hour(1)).toHaveLength(30)
  expect(await point(bench, 'n2-1')).toMatchObject({ id: 'n2-1' })
  expect(bench.store.state()).toEqual({ ok: true })
})

test('a store that does not answer ends a read by its time limit', async () => {
  const lake = await lakeOfHours(2)
  // Enough for a read that need not wait, however slow the machine is.
  const options = { lake: { store: lake.store, node: 'n' }, isMaintained: false, queryTimeoutMs: 5_000 }
  await using bench = await StoreBench.open(undefined, options)
  const hung = Promise.withResolvers<void>()
  lake.before = (operation) => (isOfFile(operation) ? hung.promise : undefined)
  await expect(visibleRows(bench.store)).rejects.toMatchObject({ type: 'StoreUnavailable' })
  hung.resolve()
  await until(async () => (await visibleRows(bench.store).catch(() => [])).length === 60)
})

test('a node that was killed while files arrived starts with what is whole', async () => {
  const lake = await lakeOfHours(4)
  await using bench = await lake.open(10 * KiB * KiB)
  let arrived = 0
  const held = Promise.withResolvers<void>()
  lake.before = (operation) => (isOfFile(operation) && ++arrived > 2 ? held.promise : undefined)
  const reading = visibleRows(bench.store)
  await until(async () => arrived > 2)
  const copy = await mkdtemp(join(tmpdir(), 'tracelake-store-'))
  cpSync(bench.folder, copy, { recursive: true })
  lake.before = () => {}
  held.resolve()
  expect(await reading).toHaveLength(120)
  await using next = await lake.open(10 * KiB * KiB, copy)
  expect(idsOf(await visibleRows(next.store))).toHaveLength(120)
})

test('no reader waits until replaced files are removed from the store', async () => {
  const lake = await lakeOfHours(2)
  await using bench = await lake.open(10 * KiB * KiB)
  await bench.store.compact()
  const [removing, removed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  lake.before = (operation) => {
    if (operation.kind !== 'delete' || !operation.name.endsWith('.parquet')) return
    removing.resolve()
    return removed.promise
  }
  bench.nowMs += storageLimits.replacedFilesKeptMs + 1
  try {
    expect(await visibleRows(bench.store)).toHaveLength(60)
    await removing.promise
  } finally {
    removed.resolve()
  }
})

test('a damaged copy is fetched again', async () => {
  const lake = await lakeOfHours(1)
  await using bench = await lake.open(10 * KiB * KiB)
  const rows = await visibleRows(bench.store)
  const name = readdirSync(bench.tableFolder).find((file) => file.endsWith('.parquet'))!
  const path = join(bench.tableFolder, name)
  writeFileSync(path, new Uint8Array((await readFile(path)).length))
  await until(async () => {
    const found = await visibleRows(bench.store).catch(() => [])
    return found.length === rows.length
  })
  expect(await visibleRows(bench.store)).toEqual(rows)
  expect(bench.store.state()).toEqual({ ok: true })
})
