import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { PreparedLake } from '../../src/engine/lake/prepared-lake.ts'
import { storageLimits } from '../../src/lib/limits/storage.ts'
import { makeTempFolder } from '../conformance/support/temp-folder.ts'
import { SimulatedObjects, SimulatedStore } from '../lake/simulated-store.ts'
import { closedNote, notesTable, notesTableNamed } from './notes-table.ts'
import { StoreBench } from './store-bench.ts'
import { idsOf, visibleRows } from './visible-rows.ts'

setDefaultTimeout(120_000)

const tables = ['notes', 'others', 'more'].map(notesTableNamed)

test('the tables of a lake are opened at the same time, and keep their rows apart', async () => {
  const objects = new SimulatedObjects()
  const fences = new Set<string>()
  const all = Promise.withResolvers<void>()
  // No fence is written before those of all tables are on their way.
  const store = new SimulatedStore(async (operation) => {
    if (operation.kind === 'put' && /^log\/\w+\/\d+$/.test(operation.name)) {
      fences.add(operation.name)
      if (fences.size === tables.length) all.resolve()
      await all.promise
    }
    return objects.run(operation)
  })
  const open = (node: string) => StoreBench.open(tables, { lake: { store, node }, isMaintained: false })
  await using first = await open('first')
  for (const { name } of tables) await first.store.write(name, [closedNote(`${name}-1`)])
  await first.store.flush({ retainIncomplete: false })
  for (const { name } of tables) await first.store.write(name, [closedNote(`${name}-2`)])
  await using second = await open('second')
  for (const table of tables)
    expect(idsOf(await visibleRows(second.store, table))).toEqual([`${table.name}-1`, `${table.name}-2`])
})

const deltaLog = 'tables/notes/_delta_log/'

/** A table with a checkpoint of version 4, commits before it, and two after it. */
async function withCheckpoint(objects: SimulatedObjects): Promise<void> {
  const { checkpointCommits } = storageLimits
  Object.assign(storageLimits, { checkpointCommits: 4 })
  try {
    await using bench = await takeOver(objects)
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) {
      await bench.store.write('notes', [closedNote(id)])
      await bench.store.flush({ retainIncomplete: false })
      if (id === 'd') await bench.store.compact()
    }
  } finally {
    Object.assign(storageLimits, { checkpointCommits })
  }
}

const takeOver = (objects: SimulatedObjects, asked: string[] = []): Promise<StoreBench> => {
  const store = new SimulatedStore(async (operation) => {
    if (operation.kind !== 'list') asked.push(`${operation.kind} ${operation.name}`)
    return objects.run(operation)
  })
  return StoreBench.open(undefined, { lake: { store, node: 'n' }, isMaintained: false })
}

const namesIn = (objects: SimulatedObjects): string[] =>
  [...objects.objects.keys()]
    .filter((name) => name.startsWith(deltaLog))
    .map((name) => name.slice(deltaLog.length).replace(/^0+(?=\d)/, ''))
    .sort()

test('a node with an empty cache fetches the newest checkpoint and the commits after it', async () => {
  const objects = new SimulatedObjects()
  await withCheckpoint(objects)
  const asked: string[] = []
  await using bench = await takeOver(objects, asked)
  expect(idsOf(await visibleRows(bench.store))).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  expect(
    asked
      .filter((each) => each.includes('_delta_log'))
      .map((each) => each.replace(/.*\/0*/, ''))
      .sort(),
  ).toEqual(['5.checkpoint.parquet', '6.json', '7.json', '_last_checkpoint'])
})

/** What a standby prepares, and a store opened with that; with the names that either has read. */
async function takeOverPrepared(objects: SimulatedObjects, meanwhile: () => Promise<void>) {
  const asked: string[] = []
  const folder = await makeTempFolder()
  const store = new SimulatedStore(async (operation) => {
    if (operation.kind === 'get') asked.push(operation.name)
    return objects.run(operation)
  })
  const options = { store, dataFolder: folder, temporaryFolder: join(folder, 'tmp'), tables: [notesTable] }
  const prepared = new PreparedLake(options)
  await prepared.prepare()
  await meanwhile()
  const before = asked.splice(0)
  const bench = await StoreBench.openAt(folder, { lake: { store, node: 'n', prepared }, isMaintained: false })
  return { bench, before, after: [...asked] }
}

const read = (names: readonly string[]) => names.filter((name) => /_delta_log|^log\/notes\//.test(name))

test('a standby that has prepared reads nothing of the Delta log or the log again', async () => {
  const objects = new SimulatedObjects()
  await withCheckpoint(objects)
  await using owner = await takeOver(objects)
  await owner.store.write('notes', [closedNote('g')])
  const { bench, before, after } = await takeOverPrepared(objects, async () => {})
  await using _ = bench
  expect(read(before).length).toBeGreaterThan(4)
  expect(read(after)).toEqual([])
  expect(idsOf(await visibleRows(bench.store))).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
})

test('what is written, flushed and compacted after a standby has prepared is there, too, each row once', async () => {
  const objects = new SimulatedObjects()
  await withCheckpoint(objects)
  await using owner = await takeOver(objects)
  await owner.store.write('notes', [closedNote('g')])
  const { bench, after } = await takeOverPrepared(objects, async () => {
    await owner.store.write('notes', [closedNote('h')])
    await owner.store.flush({ retainIncomplete: false })
    await owner.store.compact()
    await owner.store.write('notes', [closedNote('i')])
  })
  await using _ = bench
  expect(read(after).length).toBeGreaterThan(0)
  expect(idsOf(await visibleRows(bench.store))).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'])
})

test('a standby follows a Delta log whose earlier commits were removed after it had prepared', async () => {
  const objects = new SimulatedObjects()
  await withCheckpoint(objects)
  await using owner = await takeOver(objects)
  const { bench } = await takeOverPrepared(objects, async () => {
    const { checkpointCommits } = storageLimits
    Object.assign(storageLimits, { checkpointCommits: 1 })
    try {
      for (const id of ['g', 'h', 'i']) {
        await owner.store.write('notes', [closedNote(id)])
        await owner.store.flush({ retainIncomplete: false })
      }
      await owner.store.compact()
    } finally {
      Object.assign(storageLimits, { checkpointCommits })
    }
    const newest = Math.max(...namesIn(objects).map((name) => Number(/^(\d+)\.checkpoint/.exec(name)?.[1] ?? 0)))
    expect(newest).toBeGreaterThan(8)
    for (const name of [...objects.objects.keys()])
      if (name.startsWith(deltaLog) && Number.parseInt(name.slice(deltaLog.length), 10) < newest)
        objects.objects.delete(name)
  })
  await using _ = bench
  expect(idsOf(await visibleRows(bench.store))).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'])
})

test('a node that hands over keeps what it has not flushed in the log, and stores nothing more', async () => {
  const objects = new SimulatedObjects()
  await using owner = await takeOver(objects)
  await owner.store.write('notes', [closedNote('a')])
  await owner.store.handOver()
  await expect(owner.store.write('notes', [closedNote('b')])).rejects.toMatchObject({ type: 'StoreUnavailable' })
  await owner.close()
  expect(namesIn(objects)).toEqual(['0.json'])
  await using next = await takeOver(objects)
  expect(idsOf(await visibleRows(next.store))).toEqual(['a'])
})

test('a flush that is underway when a node hands over ends before the node closes, and each row is there once', async () => {
  const objects = new SimulatedObjects()
  const [writing, continued] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const slow = new SimulatedStore(async (operation) => {
    if (operation.kind === 'put' && operation.name.endsWith('.parquet')) {
      writing.resolve()
      await continued.promise
    }
    return objects.run(operation)
  })
  await using owner = await StoreBench.open(undefined, { lake: { store: slow, node: 'old' }, isMaintained: false })
  await owner.store.write('notes', [closedNote('a')])
  const flushed = Promise.allSettled([owner.store.flush({ retainIncomplete: false })])
  await writing.promise
  await owner.store.handOver()
  await using next = await takeOver(objects)
  const closed = owner.close()
  await next.store.write('notes', [closedNote('b')])
  expect(idsOf(await visibleRows(next.store))).toEqual(['a', 'b'])
  continued.resolve()
  await closed
  expect(await flushed).toEqual([{ status: 'fulfilled', value: undefined }])
  expect(idsOf(await visibleRows(next.store))).toEqual(['a', 'b'])
  await next.store.flush({ retainIncomplete: false })
  expect(idsOf(await visibleRows(next.store))).toEqual(['a', 'b'])
})

test('a node reads the commits before a checkpoint that is damaged, or that nothing points to', async () => {
  const objects = new SimulatedObjects()
  await withCheckpoint(objects)
  const [checkpoint = ''] = [...objects.objects.keys()].filter((name) => name.endsWith('.checkpoint.parquet'))
  objects.run({ kind: 'put', name: checkpoint, bytes: new TextEncoder().encode('damaged'), when: undefined })
  const rows = async () => {
    await using bench = await takeOver(objects)
    return idsOf(await visibleRows(bench.store))
  }
  expect(await rows()).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  objects.run({ kind: 'delete', name: `${deltaLog}_last_checkpoint` })
  expect(await rows()).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  objects.run({ kind: 'delete', name: checkpoint })
  expect(await rows()).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  const text = '{"version":7}'
  objects.run({
    kind: 'put',
    name: `${deltaLog}_last_checkpoint`,
    bytes: new TextEncoder().encode(text),
    when: undefined,
  })
  expect(await rows()).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
})

test('commits that a checkpoint replaces are removed by a node that has never fetched them', async () => {
  const objects = new SimulatedObjects()
  await withCheckpoint(objects)
  const { checkpointCommits, logKeptMs, replacedFilesKeptMs } = storageLimits
  // The clock of the table is behind that of the files.
  const atOnce = Number.NEGATIVE_INFINITY
  Object.assign(storageLimits, { checkpointCommits: 1, logKeptMs: atOnce, replacedFilesKeptMs: atOnce })
  try {
    await using bench = await takeOver(objects)
    await bench.store.write('notes', [closedNote('g')])
    await bench.store.flush({ retainIncomplete: false })
    await bench.store.compact()
    const names = namesIn(objects)
    expect(names).toContain('5.checkpoint.parquet')
    expect(names).not.toContain('4.json')
    expect(idsOf(await visibleRows(bench.store))).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
  } finally {
    Object.assign(storageLimits, { checkpointCommits, logKeptMs, replacedFilesKeptMs })
  }
})
