import { expect, setDefaultTimeout, test } from 'bun:test'
import { renameSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DomainError } from '../../src/lib/errors.ts'
import { logLimits } from '../../src/lib/limits/objects.ts'
import type { Row } from '../../src/lib/table.ts'
import { FolderStore } from '../../src/runtime/objects/folder-store.ts'
import { type ObjectStore, ObjectStoreError } from '../../src/runtime/objects/object-store.ts'
import { RetryingStore } from '../../src/runtime/objects/retrying-store.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { memoryStoreOf, SimulatedObjects, SimulatedStore } from '../lake/simulated-store.ts'
import { parquetFiles, queryDuckDb, readDeltaTable } from './folder-state.ts'
import { NotesModel } from './notes-model.ts'
import { closedNote, noteRow, removal } from './notes-table.ts'
import { Random, seedOr } from './random.ts'
import { StoreBench } from './store-bench.ts'
import { until } from './until.ts'
import { idsOf, visibleRows } from './visible-rows.ts'

setDefaultTimeout(120_000)

/** A node with an empty cache, which takes over from all before. */
const takeOver = (store: ObjectStore, node = 'n'): Promise<StoreBench> =>
  StoreBench.open(undefined, { lake: { store, node }, isMaintained: false })

const flush = (bench: StoreBench) => bench.store.flush({ retainIncomplete: false })

async function namesIn(store: ObjectStore, prefix: string): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of store.list(prefix)) names.push(name)
  return names
}

test('a node with an empty cache has all rows of one that was killed, in files and in the log', async () => {
  const store = memoryStoreOf(new SimulatedObjects())
  await using first = await takeOver(store)
  await first.store.write('notes', [closedNote('a'), closedNote('b')])
  await flush(first)
  await first.store.write('notes', [closedNote('c'), removal('a'), noteRow({ id: 'b', title: 'changed' })])
  await using second = await takeOver(store)
  const rows = await visibleRows(second.store)
  expect(idsOf(rows)).toEqual(['b', 'c'])
  expect(rows[0]).toMatchObject({ title: 'changed' })
})

test('a node that was replaced is told at its next write, and can no longer change anything', async () => {
  const store = memoryStoreOf(new SimulatedObjects())
  await using first = await takeOver(store)
  const lost = new Promise<string>((resolve) => first.store.onLost(resolve))
  await first.store.write('notes', [closedNote('a')])
  await using second = await takeOver(store)
  await expect(first.store.write('notes', [closedNote('late')])).rejects.toMatchObject({ type: 'StoreUnavailable' })
  expect(await lost).toBe('The writer of epoch 1 was replaced by epoch 2; it must stop')
  expect(first.store.state()).toMatchObject({ ok: false })
  await expect(flush(first)).rejects.toThrow()
  await second.store.write('notes', [closedNote('b')])
  await flush(second)
  expect(idsOf(await visibleRows(second.store))).toEqual(['a', 'b'])
})

test('a flush that shows that a node was replaced fails as a write does', async () => {
  const store = memoryStoreOf(new SimulatedObjects())
  await using first = await takeOver(store)
  await first.store.write('notes', [closedNote('a'), noteRow({ id: 'open' })])
  await using _second = await takeOver(store)
  const flushing = first.store.flush({ retainIncomplete: true })
  await expect(flushing).rejects.toMatchObject({ type: 'StoreUnavailable' })
})

test('a flush of a node that was replaced meanwhile doubles no row', async () => {
  const objects = new SimulatedObjects()
  let isHeld = false
  let release = () => {}
  let reportHeld = () => {}
  const held = new Promise<void>((resolve) => {
    reportHeld = resolve
  })
  const slow = new SimulatedStore(async (operation) => {
    if (isHeld && operation.kind === 'put' && operation.name.includes('_delta_log')) {
      isHeld = false
      reportHeld()
      await new Promise<void>((resolve) => {
        release = resolve
      })
    }
    return objects.run(operation)
  })
  const store = memoryStoreOf(objects)
  await using first = await takeOver(slow)
  await first.store.write('notes', [closedNote('a'), closedNote('b')])
  isHeld = true
  const flushed = flush(first)
  await held
  await using second = await takeOver(store)
  await second.store.write('notes', [closedNote('c'), removal('a')])
  release()
  await flushed.catch(() => {})
  expect(idsOf(await visibleRows(second.store))).toEqual(['b', 'c'])
  await flush(second)
  expect(idsOf(await visibleRows(second.store))).toEqual(['b', 'c'])
  await using third = await takeOver(store)
  expect(idsOf(await visibleRows(third.store))).toEqual(['b', 'c'])
})

test('a flush does not wait for a compaction, however long its file is under way', async () => {
  const objects = new SimulatedObjects()
  let isCompacting = false
  let release = () => {}
  const held = Promise.withResolvers<void>()
  const slow = new SimulatedStore(async (operation) => {
    if (isCompacting && operation.kind === 'put' && operation.name.endsWith('.parquet')) {
      isCompacting = false
      held.resolve()
      await new Promise<void>((resolve) => {
        release = resolve
      })
    }
    return objects.run(operation)
  })
  await using bench = await takeOver(slow)
  for (const id of ['a', 'b', 'c']) {
    await bench.store.write('notes', [closedNote(id)])
    await flush(bench)
  }
  isCompacting = true
  const compacted = bench.store.compact()
  await held.promise
  await bench.store.write('notes', [closedNote('d')])
  await flush(bench)
  expect((await readDeltaTable(bench.tableFolder)).files).toHaveLength(4)
  // The flush of a row that the compaction is moving.
  await bench.store.write('notes', [removal('b')])
  await flush(bench)
  release()
  await compacted
  expect(idsOf(await visibleRows(bench.store))).toEqual(['a', 'c', 'd'])
  expect((await readDeltaTable(bench.tableFolder)).files).toHaveLength(1)
  await using next = await takeOver(memoryStoreOf(objects))
  expect(idsOf(await visibleRows(next.store))).toEqual(['a', 'c', 'd'])
})

test('a commit whose answer is lost is found again, and the store may be away for a while', async () => {
  const objects = new SimulatedObjects()
  let failures = 0
  const cut = new SimulatedStore(async (operation) => {
    const answer = objects.run(operation)
    if (failures === 0 || operation.kind !== 'put') return answer
    failures--
    throw new ObjectStoreError('unreachable', 'Cannot write: the answer was cut')
  })
  await using bench = await takeOver(cut)
  failures = 3
  await bench.store.write('notes', [closedNote('a')])
  await flush(bench).catch(() => {})
  failures = 0
  await flush(bench)
  await using next = await takeOver(memoryStoreOf(objects))
  expect(idsOf(await visibleRows(next.store))).toEqual(['a'])
})

test('a commit that cannot be written into the cache keeps its files', async () => {
  const objects = new SimulatedObjects()
  let atCommit = () => {}
  const store = new SimulatedStore(async (operation) => {
    const answer = objects.run(operation)
    if (operation.kind === 'put' && operation.name.includes('_delta_log')) atCommit()
    return answer
  })
  await using bench = await takeOver(store)
  await bench.store.write('notes', [closedNote('a'), closedNote('b')])
  const folder = join(bench.tableFolder, '_delta_log')
  atCommit = () => renameSync(folder, `${folder}-gone`)
  await expect(flush(bench)).rejects.toThrow()
  atCommit = () => {}
  await flush(bench)
  expect(idsOf(await visibleRows(bench.store))).toEqual(['a', 'b'])
  await using second = await takeOver(memoryStoreOf(objects))
  expect(idsOf(await visibleRows(second.store))).toEqual(['a', 'b'])
})

test('a log that is flushed while it is replayed is read again', async () => {
  const objects = new SimulatedObjects()
  await using first = await takeOver(memoryStoreOf(objects))
  for (const id of ['a', 'b', 'c']) await first.store.write('notes', [closedNote(id)])
  let replayed = 0
  const store = new SimulatedStore(async (operation) => {
    if (operation.kind === 'get' && /^log\/notes\/\d+$/.test(operation.name) && replayed++ === 1) await flush(first)
    return objects.run(operation)
  })
  await using second = await takeOver(store)
  expect(replayed).toBeGreaterThan(1)
  expect(idsOf(await visibleRows(second.store))).toEqual(['a', 'b', 'c'])
  await flush(second)
  await using third = await takeOver(memoryStoreOf(objects))
  expect(idsOf(await visibleRows(third.store))).toEqual(['a', 'b', 'c'])
})

test('other engines read the objects as a Delta table; what was replaced is removed', async () => {
  const root = await makeTempFolder()
  try {
    const store = new RetryingStore(new FolderStore(root))
    await using bench = await takeOver(store)
    for (const id of ['a', 'b', 'c', 'd']) {
      await bench.store.write('notes', [closedNote(id)])
      await flush(bench)
    }
    await bench.store.compact()
    await bench.removeReplaced()
    const folder = join(root, 'tables', 'notes')
    const { files } = await readDeltaTable(folder)
    expect(await queryDuckDb(`SELECT id FROM ${parquetFiles(folder, files)} ORDER BY id`)).toEqual(
      ['a', 'b', 'c', 'd'].map((id) => ({ id })),
    )
    const parquet = (await namesIn(store, 'tables/notes/part-')).length
    expect(parquet).toBe(files.length)
    expect(await namesIn(store, 'tables/notes/_filters/')).toHaveLength(files.length)
    await bench.close()
    await rm(bench.folder, { recursive: true })
    await using next = await takeOver(store)
    expect(idsOf(await visibleRows(next.store))).toEqual(['a', 'b', 'c', 'd'])
  } finally {
    await removeFolder(root)
  }
})

test('a clean stop leaves replaced files to readers, and the next node removes them', async () => {
  const store = memoryStoreOf(new SimulatedObjects())
  await using first = await takeOver(store)
  for (const id of ['a', 'b', 'c', 'd']) {
    await first.store.write('notes', [closedNote(id)])
    await flush(first)
  }
  await first.store.compact()
  const before = await namesIn(store, 'tables/notes/part-')
  expect(before.length).toBeGreaterThan(1)
  await first.close()
  expect(await namesIn(store, 'tables/notes/part-')).toEqual(before)
  await using second = await takeOver(store)
  await second.removeReplaced()
  expect(await namesIn(store, 'tables/notes/part-')).toHaveLength(1)
  expect(idsOf(await visibleRows(second.store))).toEqual(['a', 'b', 'c', 'd'])
})

test('a log that becomes too long is flushed, or refuses writes', async () => {
  const store = memoryStoreOf(new SimulatedObjects())
  const { flushedFrom, refusedFrom } = logLimits
  Object.assign(logLimits, { flushedFrom: 3, refusedFrom: 4 })
  try {
    await using bench = await takeOver(store)
    for (const id of ['a', 'b', 'c', 'd']) await bench.store.write('notes', [closedNote(id)])
    await expect(bench.store.write('notes', [closedNote('e')])).rejects.toMatchObject({ type: 'Overloaded' })
    await flush(bench)
    await bench.store.write('notes', [closedNote('f')])
    expect(idsOf(await visibleRows(bench.store))).toEqual(['a', 'b', 'c', 'd', 'f'])
    expect((await namesIn(store, 'log/notes/')).length).toBeLessThan(4)
  } finally {
    Object.assign(logLimits, { flushedFrom, refusedFrom })
  }
})

test('a log of rows that have no other half yet is flushed, too, when it becomes too long', async () => {
  const store = memoryStoreOf(new SimulatedObjects())
  const { flushedFrom, refusedFrom } = logLimits
  Object.assign(logLimits, { flushedFrom: 3, refusedFrom: 5 })
  try {
    await using bench = await StoreBench.open(undefined, { lake: { store, node: 'n' } })
    const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
    for (const id of ids) await written(bench, noteRow({ id, title: id }))
    expect(idsOf(await visibleRows(bench.store))).toEqual(ids)
    await using next = await takeOver(store)
    expect(idsOf(await visibleRows(next.store))).toEqual(ids)
  } finally {
    Object.assign(logLimits, { flushedFrom, refusedFrom })
  }
})

test('an idle table still accepts rows after any number of takeovers', async () => {
  const store = memoryStoreOf(new SimulatedObjects())
  const { unflushedMax, flushedFrom, refusedFrom, fencesMax } = logLimits
  Object.assign(logLimits, { unflushedMax: 6, flushedFrom: 3, refusedFrom: 5, fencesMax: 4 })
  try {
    await using killed = new AsyncDisposableStack()
    const first = killed.use(await takeOver(store))
    await first.store.write('notes', [noteRow({ id: 'open', title: 'has no other half' })])
    for (let takeovers = 0; takeovers < 10; takeovers++) killed.use(await takeOver(store))
    await using bench = await StoreBench.open(undefined, { lake: { store, node: 'n' } })
    await bench.store.write('notes', [closedNote('a')])
    // The next node need not read all the fences again.
    await until(async () => ((await readDeltaTable(bench.tableFolder)).transactions.get('tracelake/log') ?? 0) > 10)
    await using next = await takeOver(store)
    expect(idsOf(await visibleRows(next.store))).toEqual(['a', 'open'])
  } finally {
    Object.assign(logLimits, { unflushedMax, flushedFrom, refusedFrom, fencesMax })
  }
})

/** Writes a row, as a client does: again after the answer that there is too much to do. */
const written = (bench: StoreBench, row: Row): Promise<void> =>
  until(async () => {
    try {
      await bench.store.write('notes', [row])
      return true
    } catch (cause) {
      if (cause instanceof DomainError && cause.type === 'Overloaded') return false
      throw cause
    }
  })

test.each([1, 2, 3, 4].map((seed) => seedOr(seed)))(
  'takeovers at any time lose and double nothing, seed %d',
  async (seed) => {
    const random = new Random(seed)
    const objects = new SimulatedObjects()
    // Answers may be lost; the client repeats the request.
    const store = new RetryingStore(
      new SimulatedStore(async (operation) => {
        const answer = objects.run(operation)
        if (random.chance(0.03)) throw new ObjectStoreError('unreachable', 'Cannot reach the store')
        return answer
      }),
      { wait: async () => true, random: () => 0 },
    )
    const model = new NotesModel()
    const replaced: StoreBench[] = []
    let owner = await takeOver(store)
    try {
      for (let step = 0; step < 40; step++) {
        const ids = Array.from({ length: random.between(1, 4) }, () => `n${random.below(12)}`)
        const change = random.below(10)
        if (change < 5) {
          const rows = [...new Set(ids)].map((id) =>
            random.chance(0.2)
              ? removal(id)
              : random.chance(0.3)
                ? noteRow({ id, votes: step })
                : closedNote(id, { votes: step }),
          )
          await owner.store.write('notes', rows)
          for (const row of rows) model.write(row)
        } else if (change < 7) await flush(owner)
        else if (change < 8) await owner.store.compact()
        else {
          const before = owner
          replaced.push(before)
          // The one before may be flushing, and goes on.
          const late = random.chance(0.5) ? flush(before).catch(() => {}) : undefined
          owner = await takeOver(store)
          await late
          if (random.chance(0.5)) await before.store.write('notes', [closedNote('late')]).catch(() => {})
          if (random.chance(0.5)) await flush(before).catch(() => {})
        }
        const rows = await visibleRows(owner.store)
        expect(rows).toEqual(model.visible('p'))
      }
    } finally {
      for (const each of [...replaced, owner]) await each[Symbol.asyncDispose]()
    }
  },
)
