import { expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ArrivingFiles } from '../../src/engine/lake/snapshot/arriving-files.ts'
import { bringLake } from '../../src/engine/lake/snapshot/bring-lake.ts'
import { lakeLimits } from '../../src/lib/limits/objects.ts'
import { storageLimits } from '../../src/lib/limits/storage.ts'
import { memoryStoreOf, SimulatedObjects, SimulatedStore } from '../lake/simulated-store.ts'
import { closedNote, notesTable } from './notes-table.ts'
import { StoreBench } from './store-bench.ts'
import { until } from './until.ts'
import { idsOf, visibleRows } from './visible-rows.ts'

setDefaultTimeout(120_000)

test('a copy has the rows that a flush took out of the log after the Delta log was read', async () => {
  const objects = new SimulatedObjects()
  await using node = await StoreBench.open(undefined, {
    lake: { store: memoryStoreOf(objects), node: 'n' },
    isMaintained: false,
  })
  await node.store.write('notes', [closedNote('a')])
  await node.store.flush({ retainIncomplete: false })
  await node.store.write('notes', [closedNote('b')])
  let flushes = 0
  const store = new SimulatedStore(async (operation) => {
    // Afterwards the log is empty: nothing in its names shows that something is missing.
    if (operation.kind === 'list' && operation.prefix === 'log/notes/' && flushes++ === 0)
      await node.store.flush({ retainIncomplete: false })
    return objects.run(operation)
  })
  const folder = await mkdtemp(join(tmpdir(), 'tracelake-store-'))
  const files = new ArrivingFiles(store, folder)
  const options = { memoryBytesMax: 2 ** 28, isLasting: true, onProgress: () => {} }
  await bringLake({ ...options, files, tables: [notesTable] })
  expect(flushes).toBe(2)
  await using copy = await StoreBench.openAt(folder)
  expect(idsOf(await visibleRows(copy.store))).toEqual(['a', 'b'])
})

test('a copy of a lake that has lost many files ends, and leaves these out', async () => {
  const objects = new SimulatedObjects()
  const store = memoryStoreOf(objects)
  await using node = await StoreBench.open(undefined, { lake: { store, node: 'n' }, isMaintained: false })
  for (const id of ['a', 'b', 'c', 'd', 'e']) {
    await node.store.write('notes', [closedNote(id)])
    await node.store.flush({ retainIncomplete: false })
  }
  for (const name of objects.objects.keys()) if (name.endsWith('.parquet')) objects.objects.delete(name)
  const folder = await mkdtemp(join(tmpdir(), 'tracelake-store-'))
  const { fetchedAtOnce, snapshotAttemptsMax } = lakeLimits
  Object.assign(lakeLimits, { fetchedAtOnce: 1, snapshotAttemptsMax: 2 })
  try {
    const options = { memoryBytesMax: 2 ** 28, isTolerant: true, onProgress: () => {} }
    await bringLake({ ...options, files: new ArrivingFiles(store, folder), tables: [notesTable] })
  } finally {
    Object.assign(lakeLimits, { fetchedAtOnce, snapshotAttemptsMax })
    await rm(folder, { recursive: true })
  }
})

test('a copy that takes longer than replaced files are kept has all rows', async () => {
  const objects = new SimulatedObjects()
  await using node = await StoreBench.open(undefined, {
    lake: { store: memoryStoreOf(objects), node: 'n' },
    isMaintained: false,
  })
  const ids = ['a', 'b', 'c', 'd', 'e', 'f']
  for (const id of ids) {
    await node.store.write('notes', [closedNote(id)])
    await node.store.flush({ retainIncomplete: false })
  }
  const before = [...objects.objects.keys()].filter((name) => name.endsWith('.parquet'))
  let isReplaced = false
  const store = new SimulatedStore(async (operation) => {
    const found = objects.run(operation)
    if (isReplaced || operation.kind !== 'get' || !operation.name.endsWith('.parquet')) return found
    isReplaced = true
    await node.store.compact()
    await node.removeReplaced()
    return found
  })
  const folder = await mkdtemp(join(tmpdir(), 'tracelake-store-'))
  const files = new ArrivingFiles(store, folder)
  await bringLake({ memoryBytesMax: 2 ** 28, isLasting: true, onProgress: () => {}, files, tables: [notesTable] })
  // Readers do not wait until the store has removed them.
  await until(() => !before.some((name) => objects.objects.has(name)))
  await using copy = await StoreBench.openAt(folder)
  expect(idsOf(await visibleRows(copy.store))).toEqual(ids)
})

test('the next node removes no replaced file before its age, however late the replacement was', async () => {
  const objects = new SimulatedObjects()
  const options = { lake: { store: memoryStoreOf(objects), node: 'n' }, isMaintained: false }
  const parts = () => [...objects.objects.keys()].filter((name) => name.endsWith('.parquet'))
  let before: string[]
  let nowMs: number
  {
    await using node = await StoreBench.open(undefined, options)
    for (const id of ['a', 'b', 'c']) {
      await node.store.write('notes', [closedNote(id)])
      await node.store.flush({ retainIncomplete: false })
    }
    before = parts()
    await node.store.compact()
    nowMs = node.nowMs
  }
  const folder = await mkdtemp(join(tmpdir(), 'tracelake-store-'))
  await using next = await StoreBench.openAt(folder, {
    ...options,
    nowMs: nowMs + storageLimits.replacedFilesKeptMs - 1_000,
  })
  expect(idsOf(await visibleRows(next.store))).toEqual(['a', 'b', 'c'])
  expect(before.filter((name) => !objects.objects.has(name))).toEqual([])
  await next.removeReplaced()
  // Readers do not wait until the store has removed them.
  await until(() => !before.some((name) => objects.objects.has(name)))
})
